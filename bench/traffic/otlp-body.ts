import type { JsonValue } from '../../core/kernel/json.ts';
import type { RequestJson } from '../../test/fixtures/otel/otlp-bodies.ts';
import type { ApplicationTrace, Message, ModelCall } from './application-trace.ts';

type Span = RequestJson['resourceSpans'][number]['scopeSpans'][number]['spans'][number];
type Facts = Readonly<Record<string, JsonValue>>;

interface OtlpBody {
  readonly traces: readonly ApplicationTrace[];
  /** 32 hexadecimal digits. */
  readonly traceIdOf: (trace: number) => string;
  readonly sessionOf?: ((trace: number) => string) | undefined;
}

/** The same traces as an exporter sends them, with the attributes of OpenInference, the widest spread of instrumentations. */
export function toOtlpBody({ traces, traceIdOf, sessionOf }: OtlpBody): RequestJson {
  const spans = traces.flatMap((trace, at) => toSpans(trace, traceIdOf(at), sessionOf?.(at)));
  const attributes = [{ key: 'service.name', value: { stringValue: 'shop-assistant' } }];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'openinference' }, spans }] }] };
}

function toSpans(trace: ApplicationTrace, traceId: string, session: string | undefined): Span[] {
  const began = BigInt(Date.now()) * 1_000_000n;
  const span = (at: number, parent: number | undefined, name: string, kind: string, facts: Facts): Span => ({
    traceId,
    spanId: toSpanId(at),
    ...(parent === undefined ? {} : { parentSpanId: toSpanId(parent) }),
    name,
    kind: 1,
    startTimeUnixNano: String(began + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(began + BigInt(at) * 1_000_000n + 812_345_678n),
    attributes: toAttributes({
      'openinference.span.kind': kind,
      ...(session === undefined ? {} : { 'session.id': session }),
      'metadata.customer': 'c-1829',
      ...facts,
    }),
    events: [],
    status: { code: 1 },
    flags: 257,
  });
  const said = { 'input.value': trace.question, 'output.value': trace.answer };
  const tool = (number: number, parent: number, { name, input, output, call_id }: ApplicationTrace['tools'][number]): Span =>
    span(number, parent, name, 'TOOL', {
      'tool.name': name,
      'tool_call.id': call_id,
      'input.value': input,
      'input.mime_type': 'application/json',
      'output.value': output,
    });
  return [
    span(1, undefined, 'chain', 'CHAIN', said),
    span(2, 1, 'search', 'RETRIEVER', { 'input.value': trace.question, ...toDocuments(trace) }),
    span(3, 1, 'planner', 'AGENT', said),
    span(4, 3, 'plan', 'LLM', toCall(trace.firstCall)),
    tool(5, 3, trace.tools[0]!),
    tool(6, 3, trace.tools[1]!),
    span(7, 3, 'answer', 'LLM', toCall(trace.lastCall)),
  ];
}

const toSpanId = (at: number): string => `00f067aa0ba902${at.toString(16).padStart(2, '0')}`;

function toCall({ input, output, inputTokens, outputTokens }: ModelCall): Facts {
  return {
    'llm.model_name': 'large-model-2',
    'llm.invocation_parameters': '{"temperature":0.2}',
    ...Object.assign({}, ...input.map((message, at) => toMessage(`llm.input_messages.${at}`, message))),
    ...toMessage('llm.output_messages.0', output),
    'llm.token_count.prompt': inputTokens,
    'llm.token_count.completion': outputTokens,
    'llm.token_count.total': inputTokens + outputTokens,
  };
}

function toMessage(at: string, { role, content, tool_calls = [], tool_call_id }: Message): Facts {
  const calls = tool_calls.map(({ id, function: { name, arguments: input } }, number) => {
    const call = `${at}.message.tool_calls.${number}.tool_call`;
    return { [`${call}.id`]: id, [`${call}.function.name`]: name, [`${call}.function.arguments`]: input };
  });
  return {
    [`${at}.message.role`]: role,
    [`${at}.message.content`]: content,
    ...(tool_call_id === undefined ? {} : { [`${at}.message.tool_call_id`]: tool_call_id }),
    ...Object.assign({}, ...calls),
  };
}

const toDocuments = ({ documents }: ApplicationTrace): Facts =>
  Object.assign(
    {},
    ...documents.map(({ content, metadata }, at) => ({
      [`retrieval.documents.${at}.document.content`]: content,
      [`retrieval.documents.${at}.document.metadata`]: JSON.stringify(metadata),
    })),
  );

const toAttributes = (facts: Facts) =>
  Object.entries(facts).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: value } : { stringValue: String(value) },
  }));
