import { observeOpenAI } from '@langfuse/openai';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { propagateAttributes, startActiveObservation } from '@langfuse/tracing';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import OpenAI from 'openai';
import { BROKEN, chatWithTool, expectFailure, getWeather, QUESTION, SESSION, USER } from './common.mjs';

const provider = new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] });
provider.register();
const client = () => observeOpenAI(new OpenAI());
const observed = (name, asType, input, work) =>
  startActiveObservation(
    name,
    async (observation) => {
      observation.update({ input });
      const output = await work();
      observation.update({ output });
      return output;
    },
    { asType },
  );
await propagateAttributes({ sessionId: SESSION, userId: USER }, () =>
  observed('ask', 'span', QUESTION, async () => {
    await expectFailure(() => chatWithTool(client(), BROKEN));
    return observed('weather', 'agent', QUESTION, async () => {
      await observed('get_weather', 'tool', { city: 'Paris' }, getWeather);
      const { choices } = await chatWithTool(client());
      return choices[0].message.content;
    });
  }),
);
await provider.shutdown();
