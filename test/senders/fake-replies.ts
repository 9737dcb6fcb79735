/** The words of the model once a tool has answered, or when it has none. */
export const ANSWER = 'Paris is the capital of France.';
const ARGUMENTS = { city: 'Paris' };
const CREATED = 1_767_225_600;
const USAGE = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 100, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0 },
};

/** A request in any of the protocols, as far as replies depend on it. */
export interface ChatBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly toolConfig?: object;
  readonly instructions?: string;
  readonly messages?: readonly object[];
  readonly input?: string | readonly object[];
  readonly contents?: readonly object[];
}

/** Results of tools, as the protocols name them. */
const RESULT = /"role":"(tool|function)"|"type":"(tool_result|function_call_output)"|"functionResponse":|"toolResult":/;
const CITY = /"city"/;

/** A tool that takes a city is called until one has answered; a tool for final answers is called with the answer. */
function choose(body: ChatBody): { readonly name: string; readonly input: object } | undefined {
  const { tools, toolConfig, ...said } = body;
  const offered = JSON.stringify(tools ?? toolConfig ?? '');
  const answered = RESULT.test(JSON.stringify(said));
  if (CITY.test(offered) && !answered) return { name: 'get_weather', input: ARGUMENTS };
  if (/"name":"final_answer"/.test(offered)) return { name: 'final_answer', input: { answer: ANSWER } };
  return undefined;
}

const modelOf = (body: ChatBody): string => body.model ?? 'gpt-4o-mini';

export function chat(body: ChatBody): object {
  const called = choose(body);
  const message = called
    ? { content: null, tool_calls: [{ id: 'call_1', type: 'function', function: toFunction(called) }] }
    : { content: ANSWER };
  return {
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: CREATED,
    model: modelOf(body),
    choices: [
      { index: 0, message: { role: 'assistant', ...message }, finish_reason: called ? 'tool_calls' : 'stop', logprobs: null },
    ],
    usage: USAGE,
  };
}

const toFunction = ({ name, input }: { readonly name: string; readonly input: object }) => ({
  name,
  arguments: JSON.stringify(input),
});

const toEvents = (items: readonly object[]): string => items.map((item) => `data: ${JSON.stringify(item)}\n\n`).join('');

export function chatStream(body: ChatBody): string {
  const called = choose(body);
  const frame = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: CREATED, model: modelOf(body) };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...frame,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const deltas = called
    ? [
        chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: toFunction(called) }] }),
        chunk({}, 'tool_calls'),
      ]
    : [
        chunk({ role: 'assistant', content: 'Paris is ' }),
        chunk({ content: ANSWER.slice('Paris is '.length) }),
        chunk({}, 'stop'),
      ];
  return `${toEvents([...deltas, { ...frame, choices: [], usage: USAGE }])}data: [DONE]\n\n`;
}

const ANTHROPIC_USAGE = {
  input_tokens: 20,
  output_tokens: 30,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 0,
};

export function anthropic(body: ChatBody): object {
  const called = choose(body);
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: called ? [{ type: 'tool_use', id: 'call_1', ...called }] : [{ type: 'text', text: ANSWER }],
    stop_reason: called ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: ANTHROPIC_USAGE,
  };
}

export function anthropicStream(body: ChatBody): string {
  const message = { ...anthropic({ ...body, tools: [] }), content: [], stop_reason: null };
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: ANTHROPIC_USAGE },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\n${toEvents([event])}`).join('');
}

export const embeddings = ({ model }: ChatBody): object => ({
  object: 'list',
  model,
  data: [{ object: 'embedding', index: 0, embedding: [0.1, 0.2, 0.3] }],
  usage: { prompt_tokens: 8, total_tokens: 8 },
});

function outputOf(body: ChatBody): object {
  const called = choose(body);
  if (called) return { id: 'fc_1', type: 'function_call', call_id: 'call_1', status: 'completed', ...toFunction(called) };
  const content = [{ type: 'output_text', text: ANSWER, annotations: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content };
}

export function responses(body: ChatBody): object {
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: CREATED,
    status: 'completed',
    model: modelOf(body),
    output: [outputOf(body)],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    instructions: body.instructions ?? null,
    tools: body.tools ?? [],
    usage: {
      input_tokens: 120,
      output_tokens: 30,
      total_tokens: 150,
      input_tokens_details: { cached_tokens: 100 },
      output_tokens_details: { reasoning_tokens: 10 },
    },
  };
}

export function responsesStream(body: ChatBody): string {
  const response = responses(body);
  const item = outputOf(body);
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  return events.map((event, at) => `event: ${event.type}\n${toEvents([{ ...event, sequence_number: at }])}`).join('');
}

export function gemini(body: ChatBody): object {
  const called = choose(body);
  const part = called ? { functionCall: { name: called.name, args: called.input } } : { text: ANSWER };
  return {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts: [part] } }],
    usageMetadata: {
      promptTokenCount: 120,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 10,
      cachedContentTokenCount: 100,
      totalTokenCount: 150,
    },
    modelVersion: 'gemini-2.5-flash',
  };
}

export function bedrock(body: ChatBody): object {
  const called = choose(body);
  const content = called ? [{ toolUse: { toolUseId: 'call_1', name: called.name, input: called.input } }] : [{ text: ANSWER }];
  return {
    output: { message: { role: 'assistant', content } },
    stopReason: called ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 120, outputTokens: 30, totalTokens: 150, cacheReadInputTokens: 100 },
    metrics: { latencyMs: 5 },
  };
}
