import { setSession, setUser } from '@arizeai/openinference-core';
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as CallbackManagerModule from '@langchain/core/callbacks/manager';
import { ChatOpenAI } from '@langchain/openai';
import { context } from '@opentelemetry/api';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { BROKEN, expectFailure, getWeather, MODEL, QUESTION, RULES, SESSION, startTracing, USER } from './common.mjs';

const provider = startTracing();
new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(CallbackManagerModule);
const weather = tool(getWeather, {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: z.object({ city: z.string() }),
});
const ask = (model) =>
  createAgent({
    model: new ChatOpenAI({ model, temperature: 0.2, maxRetries: 0 }),
    tools: [weather],
    systemPrompt: RULES,
    name: 'weather',
  }).invoke({ messages: [{ role: 'user', content: QUESTION }] });
const about = setUser(setSession(context.active(), { sessionId: SESSION }), { userId: USER });
await context.with(about, () => ask(MODEL));
await expectFailure(() => context.with(about, () => ask(BROKEN)));
await provider.shutdown();
