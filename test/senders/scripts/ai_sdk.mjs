import { createOpenAI } from '@ai-sdk/openai';
import { OpenTelemetry } from '@ai-sdk/otel';
import { generateText, isStepCount, registerTelemetry, tool } from 'ai';
import { z } from 'zod';
import { BROKEN, expectFailure, getWeather, MODEL, QUESTION, RULES, SESSION, startTracing, USER } from './common.mjs';

const provider = startTracing();
registerTelemetry(new OpenTelemetry({ runtimeContext: true, usage: true }));
const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL });
const weather = tool({ description: 'The weather in a city.', inputSchema: z.object({ city: z.string() }), execute: getWeather });
const ask = (model) =>
  generateText({
    model: openai.chat(model),
    instructions: RULES,
    prompt: QUESTION,
    temperature: 0.2,
    maxRetries: 0,
    tools: { get_weather: weather },
    stopWhen: isStepCount(3),
    telemetry: { functionId: 'weather', includeRuntimeContext: { sessionId: true, userId: true } },
    runtimeContext: { sessionId: SESSION, userId: USER },
  });
await ask(MODEL);
await expectFailure(() => ask(BROKEN));
await provider.shutdown();
