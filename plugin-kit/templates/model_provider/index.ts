import { defineModelProvider, Endpoint, httpClient, readJson, Token, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  endpoint: Endpoint.describe('The base URL, without a slash at the end.'),
  token: Token.describe('An API key.'),
});

/** Only what is read: the upstream service may add fields without breaking us. */
const Choice = z.object({ message: z.object({ content: z.string() }), finish_reason: z.string() });
const Reply = z.object({
  model: z.string(),
  choices: z.tuple([Choice]).rest(Choice),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});
const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) });

export const sampleProvider = defineModelProvider({
  id: 'sample_provider',
  sdk: 1,
  stability: 'experimental',
  label: 'Sample provider',
  summary: 'Models behind the chat-completions protocol.',
  settings: Settings,
  create: (host, { endpoint, token }) => {
    const far = httpClient(host, 'sample_provider');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return {
      async complete({ model, system, messages, schema, max_tokens, temperature, top_p, stop, seed, signal }) {
        const all = system === undefined ? messages : [{ role: 'system', content: system }, ...messages];
        const response_format = schema && { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
        const parameters = { max_tokens, temperature, top_p, stop, seed };
        const body = JSON.stringify({ model, messages: all, response_format, ...parameters });
        const reply = await far.json(Reply, `${endpoint}/chat/completions`, { method: 'POST', headers, body, signal });
        const [{ message, finish_reason }] = reply.choices;
        return {
          text: message.content,
          value: schema && readJson(z.unknown(), message.content),
          usage: { input_tokens: reply.usage.prompt_tokens, output_tokens: reply.usage.completion_tokens },
          finish_reason: finish_reason === 'length' ? 'length' : 'stop',
          model: reply.model,
        };
      },
      async models(signal) {
        const { data } = await far.json(ModelList, `${endpoint}/models`, { headers, signal });
        return data.map(({ id }) => ({ name: id, for_scorers: true }));
      },
      async check(signal) {
        await far.json(ModelList, `${endpoint}/models`, { headers, signal });
      },
    };
  },
});
