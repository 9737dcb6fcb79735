import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';

/** A trace or span as the API returns it, as far as it is shown. */
export interface ShownRecord extends JsonObject {
  readonly id: string;
  /** The id of the span. */
  readonly external_id: string;
  readonly parent_id: string;
  readonly trace_id: string;
  readonly type: string;
  readonly name: string;
  readonly created_at: string;
  readonly status_code: number | null;
  readonly input: JsonValue;
  readonly output: JsonValue;
  readonly metrics: Readonly<Record<string, number>>;
  readonly user_metadata: Readonly<Record<string, string>>;
}

export interface Message extends JsonObject {
  readonly role: string;
  readonly content: string;
}

const MAX_SHOWN = 120;
const COUNTS = ['input', 'output', 'cached_input', 'cache_write_input', 'reasoning'];

/** The view that a person has of the traces of a log stream: the tree, with texts, numbers, errors, and names of what was kept beside. */
export function toTraceView(traces: readonly ShownRecord[], spans: readonly ShownRecord[], words: readonly string[]): string {
  const lines = sorted(traces).flatMap((trace) => {
    const facts = ['user.id', 'session'].flatMap((name) =>
      trace.user_metadata[name] ? [`${name} ${trace.user_metadata[name]}`] : [],
    );
    return [
      [`trace ${trace.name}`, ...facts, ...toNumbers(trace)].join(' · '),
      ...toTexts(trace).map((line) => `  ${line}`),
      ...toTree(trace.id, spans, words).map((line) => `  ${line}`),
    ];
  });
  return `${lines.join('\n')}\n`;
}

const sorted = (records: readonly ShownRecord[]): ShownRecord[] =>
  records.toSorted((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));

function toTree(parent: string, spans: readonly ShownRecord[], words: readonly string[]): string[] {
  const known = new Set(spans.map(({ id }) => id));
  const children = spans.filter(
    ({ parent_id, trace_id }) => parent_id === parent || (trace_id === parent && !known.has(parent_id) && parent_id !== parent),
  );
  return sorted(children).flatMap((span) => [
    [`${span.type} ${span.name}`, ...toNumbers(span), ...toOwnFields(span)].join(' · '),
    ...toTexts(span).map((line) => `    ${line}`),
    ...toRepeated(span, words).map((line) => `    ${line}`),
    ...toTree(span.id, spans, words).map((line) => `  ${line}`),
  ]);
}

function toNumbers({ metrics, status_code, user_metadata }: ShownRecord): string[] {
  const tokens = COUNTS.map((name) => metrics[`num_${name}_tokens`] ?? 0);
  const error = user_metadata['exception.message'] ?? user_metadata['otel.status_message'];
  return [
    ...(tokens.some((count) => count > 0) ? [`tokens ${tokens.join('/')}`] : []),
    ...(metrics.cost === undefined ? [] : [`$${metrics.cost.toPrecision(4)}`]),
    ...(metrics.time_to_first_token_ns === undefined ? [] : ['first token']),
    ...(status_code !== null && status_code >= 400 ? [`error ${status_code} ${shorten(error ?? '')}`] : []),
  ];
}

const toOwnFields = (span: ShownRecord): string[] =>
  ['model', 'finish_reason', 'tool_call_id']
    .flatMap((name) => (span[name] ? [`${name} ${span[name]}`] : []))
    .concat(Array.isArray(span.tools) && span.tools.length > 0 ? [`tools ${span.tools.length}`] : []);

function toTexts({ input, output }: ShownRecord): string[] {
  const inputs = Array.isArray(input) ? (input as readonly JsonValue[]) : [input];
  const outputs = Array.isArray(output) ? (output as readonly JsonValue[]) : [output];
  return [...inputs.map((one) => `> ${toLine(one)}`), ...outputs.map((one) => `< ${toLine(one)}`)];
}

function toLine(value: JsonValue): string {
  if (typeof value === 'string') return shorten(value);
  if (value === null) return 'nothing';
  const message = value as Message & { tool_calls?: readonly { function: { name: string; arguments: string } }[] };
  if (typeof message.role !== 'string') return shorten(JSON.stringify(value));
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ` ${name}(${given})`);
  const called = message.tool_call_id ? ` of ${message.tool_call_id}` : '';
  return `${message.role}${called}: ${shorten(message.content)}${calls.join('')}`;
}

/** Metadata that holds words of the conversation: each should be in the record once. */
const toRepeated = ({ user_metadata }: ShownRecord, words: readonly string[]): string[] =>
  Object.entries(user_metadata)
    .filter(([name, text]) => !/^exception\.|status_message/.test(name) && words.some((word) => text.includes(word)))
    .map(([name, text]) => `again in ${name}: ${shorten(text)}`)
    .sort();

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
