import { setSession, setUser } from '@arizeai/openinference-core';
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai';
import { context } from '@opentelemetry/api';
import OpenAI from 'openai';
import { BROKEN, chatWithTool, expectFailure, inSpan, SESSION, startTracing, USER } from './common.mjs';

const provider = startTracing();
new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);
const about = setUser(setSession(context.active(), { sessionId: SESSION }), { userId: USER });
await context.with(about, () =>
  inSpan('ask', async () => {
    await chatWithTool(new OpenAI());
    await expectFailure(() => chatWithTool(new OpenAI(), BROKEN));
  }),
);
await provider.shutdown();
