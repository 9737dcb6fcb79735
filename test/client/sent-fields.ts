import { randomUUID } from 'node:crypto';
import type { Json } from './scripted-client.ts';

/** Fields as a client sends them, and as they are given back. */
interface Fields {
  readonly sent: Json;
  readonly given: Json;
}

const COUNTS = { num_input_tokens: 12, num_output_tokens: 3, num_total_tokens: 15, time_to_first_token_ns: 5 };
const OWN = { score: 0.5, label: 'good', passed: false, kinds: ['a'], detail: { x: [1, null] } };

/** All fields that a record of any type may have. Counts in camelCase come from one of the stacks. */
export function everyField(type: string): Fields {
  const metrics = { duration_ns: 7, ...OWN, ...(type === 'llm' && COUNTS) };
  const plain = {
    type,
    name: `a ${type}`,
    created_at: '2026-01-02T03:04:05.678901Z',
    user_metadata: { customer: 'Ada' },
    tags: ['b', 'a'],
    status_code: 200,
    external_id: `ext of ${type}`,
    dataset_input: 'row in',
    dataset_output: 'row out',
    dataset_metadata: { row: '7' },
    ...(type !== 'trace' && { step_number: 4 }),
  };
  return {
    sent: { ...plain, metrics: { ...metrics, numReasoningTokens: 2, numCachedInputTokens: 1 } },
    given: { ...plain, metrics: { ...metrics, num_reasoning_tokens: 2, num_cached_input_tokens: 1 } },
  };
}

const messages = [{ role: 'user', content: 'hi', extra: 1 }];
const message = { role: 'assistant', content: 'ho', tool_calls: [{ id: '1', function: { name: 'f', arguments: '{}' } }] };
const documents = [{ content: 'chunk', metadata: { page: 3, ok: true, source: 'a' }, score: 0.5 }];

/** One kind of each event of a model call (companion A5), and one that nobody knows. */
export const EVENTS = [
  {
    type: 'message',
    id: 'e1',
    status: 'completed',
    role: 'assistant',
    content: 'x',
    content_parts: [{ type: 'text', text: 'x' }],
  },
  { type: 'reasoning', id: 'e2', status: 'in_progress', content: null, summary: [{ text: 'because' }], metadata: { a: 1 } },
  { type: 'internal_tool_call', status: 'failed', error_message: 'no', name: 'f', input: { a: 1 }, output: null },
  { type: 'web_search_call', status: 'cancelled', action: { type: 'search', query: 'tide', sources: [{ url: 'u' }] } },
  { type: 'image_generation', status: 'incomplete', prompt: 'p', images: [{ url: 'u' }], model: null },
  { type: 'mcp_call', tool_name: 't', server_name: 's', arguments: { a: 1 }, result: { b: [2] } },
  { type: 'mcp_list_tools', server_name: 's', tools: [{ name: 't' }] },
  { type: 'mcp_approval_request', tool_name: 't', tool_invocation: { a: 1 }, approved: null },
  { type: 'hologram', shape: { of: 'its own' } },
];

const OF_TYPE: Readonly<Record<string, Json>> = {
  workflow: { input: messages, output: documents, redacted_input: 'i*', redacted_output: message },
  agent: { input: 'in', output: message, redacted_input: messages, redacted_output: 'o*', agent_type: 'planner' },
  llm: {
    ...{ input: messages, output: message, redacted_input: messages, redacted_output: message },
    ...{
      tools: [{ type: 'function', function: { name: 'f' } }],
      model: 'm',
      temperature: 0.2,
      finish_reason: 'stop',
      events: EVENTS,
    },
  },
  retriever: { input: 'query', output: documents, redacted_input: 'q*', redacted_output: documents },
  tool: { input: 'in', output: 'out', redacted_input: 'i*', redacted_output: 'o*', tool_call_id: 'call_1' },
  control: {
    ...{ input: 'in', output: { action: 'deny', confidence: 0.5 }, redacted_input: messages, redacted_output: 'o*' },
    ...{ control_id: 12, agent_name: 'guard', check_stage: 'post', applies_to: 'tool_call' },
  },
};

/** One span of every type with every field that it may have. */
export const everySpan = (): (Fields & { readonly type: string })[] =>
  Object.entries(OF_TYPE).map(([type, own]) => {
    const { sent, given } = everyField(type);
    const id = randomUUID();
    return { type, sent: { ...sent, ...own, id }, given: { ...given, ...own, id } };
  });
