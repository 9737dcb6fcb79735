import * as traceloop from '@traceloop/node-server-sdk';
import OpenAI from 'openai';
import { BROKEN, chatWithTool, expectFailure, getWeather, QUESTION, SESSION, USER } from './common.mjs';

traceloop.initialize({
  appName: 'svc',
  disableBatch: true,
  silenceInitializationMessage: true,
  instrumentModules: { openAI: OpenAI },
});
const weather = (city) => traceloop.withTool({ name: 'get_weather' }, getWeather, city);
const askAgent = (question) =>
  traceloop.withAgent(
    { name: 'weather' },
    async () => {
      await weather('Paris');
      const { choices } = await chatWithTool(new OpenAI());
      return choices[0].message.content;
    },
    question,
  );
await traceloop.withAssociationProperties({ session_id: SESSION, user_id: USER }, () =>
  traceloop.withWorkflow(
    { name: 'ask' },
    async (question) => {
      await expectFailure(() => chatWithTool(new OpenAI(), BROKEN));
      return askAgent(question);
    },
    QUESTION,
  ),
);
await traceloop.forceFlush();
