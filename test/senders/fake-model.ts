import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A model on loopback that speaks the protocols of several vendors and always says the same. */
export interface FakeModel {
  readonly url: string;
  close(): Promise<void>;
}

const ANSWER = 'Paris is the capital of France.';
const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0 },
};

interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly { readonly role: string }[];
}

const chat = (model: string, message: object, finish_reason: string): object => ({
  id: 'chatcmpl-fake',
  object: 'chat.completion',
  created: 1_767_225_600,
  model,
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason, logprobs: null }],
  usage: USAGE,
});

const CALLS = {
  content: null,
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
};

/** A tool is called as long as none has answered. */
const wantsTool = ({ tools = [], messages = [] }: Body): boolean =>
  tools.length > 0 && !messages.some(({ role }) => role === 'tool' || role === 'function');

function openAi(body: Body): object {
  const model = body.model ?? 'gpt-4o-mini';
  return wantsTool(body) ? chat(model, CALLS, 'tool_calls') : chat(model, { content: ANSWER }, 'stop');
}

function openAiStream(body: Body): string {
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`;
  const usage = JSON.stringify({
    id: 'chatcmpl-fake',
    object: 'chat.completion.chunk',
    created: 1,
    model: body.model,
    choices: [],
    usage: USAGE,
  });
  return `${chunk({ role: 'assistant', content: 'Paris is ' })}${chunk({ content: 'the capital of France.' })}${chunk({}, 'stop')}data: ${usage}\n\ndata: [DONE]\n\n`;
}

const anthropic = ({ model }: Body): object => ({
  id: 'msg_fake',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: ANSWER }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, output_tokens: 30, cache_read_input_tokens: 100, cache_creation_input_tokens: 0 },
});

const embeddings = ({ model }: Body): object => ({
  object: 'list',
  model,
  data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2, 0.3] }],
  usage: { prompt_tokens: 8, total_tokens: 8 },
});

const responses = ({ model }: Body): object => ({
  id: 'resp_fake',
  object: 'response',
  created_at: 1_767_225_600,
  status: 'completed',
  model,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
    },
  ],
  parallel_tool_calls: true,
  tool_choice: 'auto',
  tools: [],
  usage: {
    input_tokens: 120,
    output_tokens: 30,
    total_tokens: 150,
    input_tokens_details: { cached_tokens: 100 },
    output_tokens_details: { reasoning_tokens: 10 },
  },
});

async function reply(request: IncomingMessage): Promise<{ type: string; body: string }> {
  const body = JSON.parse((await text(request)) || '{}') as Body;
  const path = (request.url ?? '').replace(/\?.*/, '');
  const json = (value: object) => ({ type: 'application/json', body: JSON.stringify(value) });
  if (path.endsWith('/embeddings')) return json(embeddings(body));
  if (path.endsWith('/messages')) return json(anthropic(body));
  if (path.endsWith('/responses')) return json(responses(body));
  if (body.stream) return { type: 'text/event-stream', body: openAiStream(body) };
  return json(openAi(body));
}

export async function startFakeModel(): Promise<FakeModel> {
  const server: Server = createServer((request, response) => {
    void reply(request).then(({ type, body }) => response.setHeader('content-type', type).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
