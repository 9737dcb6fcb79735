import type { ApplicationTrace, ModelCall } from './application-trace.ts';

interface JsonBody {
  readonly log_stream_id: string;
  readonly traces: readonly ApplicationTrace[];
  /** Absent: traces are sessions of their own. */
  readonly sessionOf?: ((trace: number) => string) | undefined;
  readonly newSlot: () => string;
}

/** The JSON route's body. A request of one trace names its session by external id, as a chat does, a batch by the id in each trace. */
export function toJsonBody({ log_stream_id, traces, sessionOf, newSlot }: JsonBody): object {
  const now = new Date().toISOString();
  const isLone = traces.length === 1;
  return {
    log_stream_id,
    ...(sessionOf && isLone ? { session_external_id: sessionOf(0) } : {}),
    traces: traces.map((trace, at) => ({
      ...toTrace(trace, now, newSlot),
      ...(sessionOf && !isLone ? { session_id: sessionOf(at) } : {}),
    })),
  };
}

function toTrace(trace: ApplicationTrace, created_at: string, newSlot: () => string): object {
  const record = (type: string, name: string, duration_ns: number) => ({
    type,
    id: newSlot(),
    name,
    created_at,
    status_code: 200,
    user_metadata: { customer: 'c-1829', region: 'north', attempt: '1' },
    metrics: { duration_ns },
  });
  const call = (name: string, { input, output, inputTokens, outputTokens }: ModelCall) => ({
    ...record('llm', name, 812_345_678),
    input,
    output,
    model: 'large-model-2',
    temperature: 0.2,
    finish_reason: 'stop',
    tools: trace.tools.map((tool) => ({ type: 'function', function: { name: tool.name, parameters: { type: 'object' } } })),
    metrics: {
      duration_ns: 812_345_678,
      num_input_tokens: inputTokens,
      num_output_tokens: outputTokens,
      num_total_tokens: inputTokens + outputTokens,
    },
  });
  const tools = trace.tools.map(({ name, input, output, call_id }) => ({
    ...record('tool', name, 45_678_901),
    input,
    output,
    tool_call_id: call_id,
  }));
  const agent = {
    ...record('agent', 'planner', 1_912_345_678),
    agent_type: 'planner',
    input: trace.question,
    output: trace.answer,
    spans: [call('plan', trace.firstCall), ...tools, call('answer', trace.lastCall)],
  };
  const retriever = { ...record('retriever', 'search', 98_765_432), input: trace.question, output: trace.documents };
  const workflow = {
    ...record('workflow', 'chain', 2_112_345_678),
    input: trace.question,
    output: trace.answer,
    spans: [retriever, agent],
  };
  const { question: input, answer: output } = trace;
  return { ...record('trace', 'question', 2_212_345_678), input, output, tags: ['web', 'beta'], spans: [workflow] };
}
