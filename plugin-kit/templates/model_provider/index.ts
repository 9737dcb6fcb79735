import { defineModelProvider, Endpoint, httpClient, readJson, Token, z } from '../../../core/plugin-sdk/index.ts';

const Settings = z.strictObject({
  endpoint: Endpoint.describe('The base URL, without a slash at the end.'),
  token: Token.describe('An API key.'),
});

/** Only what is read: the upstream service may add fields without breaking us. */
const Call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const Message = z.object({ content: z.string().nullable(), tool_calls: z.array(Call).optional() });
const Choice = z.object({ message: Message, finish_reason: z.string() });
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
      supports: ['tools', 'response_format'],
      async complete({ model, system, messages, schema, response_format, tools, tool_choice, signal, ...rest }) {
        const { max_tokens, temperature, top_p, stop, seed } = rest;
        const all = messages.map(({ tool_calls, tool_name: _name, ...message }) => ({
          ...message,
          tool_calls: tool_calls?.map(({ id, ...called }) => ({ id, type: 'function', function: called })),
        }));
        const format = schema ? { name: 'answer', strict: true, schema } : { name: 'answer', ...response_format };
        const body = JSON.stringify({
          ...{ model, max_tokens, temperature, top_p, stop, seed },
          messages: system === undefined ? all : [{ role: 'system', content: system }, ...all],
          response_format: (schema || response_format) && {
            type: format.schema ? 'json_schema' : 'json_object',
            json_schema: format,
          },
          tools: tools?.map((tool) => ({ type: 'function', function: tool })),
          tool_choice: typeof tool_choice === 'object' ? { type: 'function', function: tool_choice } : tool_choice,
        });
        const reply = await far.json(Reply, `${endpoint}/chat/completions`, { method: 'POST', headers, body, signal });
        const [{ message, finish_reason }] = reply.choices;
        const text = message.content ?? '';
        const tool_calls = message.tool_calls?.map(({ id, function: called }) => ({ id, ...called }));
        return {
          text,
          value: schema && readJson(z.unknown(), text),
          ...(tool_calls && { tool_calls }),
          usage: { input_tokens: reply.usage.prompt_tokens, output_tokens: reply.usage.completion_tokens },
          finish_reason: finish_reason === 'length' || finish_reason === 'tool_calls' ? finish_reason : 'stop',
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
