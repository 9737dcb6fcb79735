import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, isJsonObject, parseNumber, toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedEvent, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toNanos } from '../source-time.ts';
import { findUsage, toInputMessages, toOutputMessages } from './messages.ts';

const KINDS: Readonly<Record<string, string>> = {
  llm: 'LLM',
  tool: 'TOOL',
  retriever: 'RETRIEVER',
  embedding: 'EMBEDDING',
  agent: 'AGENT',
};
/** Names under which applications put the id of a conversation, as documented for threads. */
const THREADS = ['session_id', 'thread_id', 'conversation_id'];
const USERS = ['user_id', 'ls_user_id', 'user'];
/** Said by times, or once for each token. */
const KNOWN_EVENTS = new Set(['start', 'end', 'new_token']);
/** Fields that repeat others, or point into the other installation. */
const REPEATED = [
  ...['child_run_ids', 'direct_child_run_ids', 'parent_run_ids', 'feedback_stats', 'app_path', 'last_queued_at', 'status'],
  ...[
    'execution_order',
    'manifest_id',
    'manifest_s3_id',
    'price_model_id',
    'share_token',
    'in_dataset',
    'is_in_dataset',
    'is_root',
  ],
  ...[
    'inputs_preview',
    'outputs_preview',
    'error_preview',
    'latency',
    'latency_seconds',
    'session_id',
    'project_id',
    'tenant_id',
  ],
  ...[
    'prompt_cost',
    'completion_cost',
    'prompt_cost_details',
    'completion_cost_details',
    'child_runs',
    'thread_id',
    'trace_tier',
  ],
  ...['parent_project_id', 'session_name', 'project_name', 'start_time_micros', 'trace_first_received_at', 'trace_upgrade'],
  ...['ttl_seconds', 'url', 'host_project_id', 'messages', 'trace_min_start_time', 'trace_max_start_time'],
];

/** A run as a span with the attributes that OpenInference gives the calls of LangChain. */
export function toRun(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const order = toOrder(row.text('dotted_order'));
  const source_id = row.text('id') ?? order.at(-1);
  const trace = row.text('trace_id') ?? order[0] ?? source_id;
  if (source_id === undefined || trace === undefined) return undefined;
  const parent = row.text('parent_run_id') ?? order.at(-2);
  const type = row.text('run_type')!.toLowerCase();
  const [start, end] = [row.time('start_time'), row.time('end_time')];
  const [inputs, outputs] = [row.object('inputs') ?? {}, row.object('outputs') ?? {}];
  const extra = row.object('extra') ?? {};
  const given = { ...object(extra, 'metadata'), ...row.object('metadata') };
  const { session, user, metadata } = toContext(given);
  const error = row.text('error') ?? null;
  const attributes: Record<string, JsonValue> = { 'openinference.span.kind': KINDS[type] ?? 'CHAIN', metadata };
  const set = (name: string, value: JsonValue | undefined): void => {
    if (value !== undefined && value !== null) attributes[name] = value;
  };
  set('session.id', session);
  set('user.id', user);
  const tags = row.texts('tags');
  if (tags.length > 0) attributes['tag.tags'] = tags;
  if (type === 'llm') {
    setCall(set, row, { inputs, outputs, extra, given, start });
  } else {
    set('input.value', toText(inputs));
    set(
      'output.value',
      type === 'retriever' ? toJsonText(findFirst(outputs, 'documents', 'output') ?? outputs) : toText(outputs),
    );
    // Tokens of the calls below it, which the service adds up itself.
    row.skip('prompt_tokens', 'completion_tokens', 'total_tokens', 'total_cost', 'first_token_time');
    row.skip('prompt_token_details', 'completion_token_details');
  }
  for (const [name, value] of Object.entries<JsonValue>(extra))
    if (name !== 'metadata' && name !== 'invocation_params') set(`langsmith.extra.${name}`, value);
  const events = row
    .list('events')
    .filter(isJsonObject)
    .filter((event) => !KNOWN_EVENTS.has(String(event.name)));
  if (row.value('serialized') !== undefined) leaveOut('serialized object of a run');
  for (const files of ['attachments', 'inputs_s3_urls', 'outputs_s3_urls', 's3_urls'])
    if (Object.keys(row.object(files) ?? {}).length > 0) leaveOut(`${files} of a run`);
  const name = row.text('name') ?? type;
  row.skip(...REPEATED);
  for (const [field, value] of row.rest()) attributes[`langsmith.${field}`] = value;
  const trace_id = toTraceId('langsmith', trace);
  return [
    {
      kind: 'span',
      trace_id,
      span_id: toSpanId('langsmith', source_id),
      parent_id: parent === undefined || parent === source_id ? null : toSpanId('langsmith', parent),
      source_id,
      name,
      start,
      end,
      attributes,
      events: events.map(toEvent),
      error,
    },
    { kind: 'trace', trace_id, source_id: trace },
  ];
}

/** Ids out of `<time>Z<id>.<time>Z<id>`: those of all ancestors and its own. */
const toOrder = (dotted: string | undefined): string[] =>
  (dotted ?? '').split('.').flatMap((part) => part.slice(part.indexOf('Z') + 1) || []);

interface Context {
  readonly session: string | undefined;
  readonly user: string | undefined;
  readonly metadata: JsonObject;
}

function toContext(given: JsonObject): Context {
  const [thread, user] = [THREADS, USERS].map((names) => names.find((name) => isName(given[name])));
  const metadata = Object.fromEntries(Object.entries(given).filter(([name]) => name !== thread && name !== user));
  return { session: thread && String(given[thread]), user: user && String(given[user]), metadata };
}

const isName = (value: JsonValue | undefined): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

const object = (value: JsonObject, name: string): JsonObject => {
  const found = value[name];
  return isJsonObject(found) ? found : {};
};

interface Call {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  readonly extra: JsonObject;
  readonly given: JsonObject;
  readonly start: string | null;
}

function setCall(
  set: (name: string, value: JsonValue | undefined) => void,
  row: SourceRow,
  { inputs, outputs, extra, given, start }: Call,
): void {
  const params = object(extra, 'invocation_params');
  const temperature = findFirst(params, 'temperature') ?? findFirst(given, 'ls_temperature');
  set('input.value', JSON.stringify(toInputMessages(inputs)));
  set('output.value', Object.keys(outputs).length === 0 ? undefined : JSON.stringify(toOutputMessages(outputs)));
  set('llm.model_name', findFirst(given, 'ls_model_name') ?? findFirst(params, 'model', 'model_name'));
  set('llm.invocation_parameters', { ...params, ...(temperature !== undefined && { temperature }) });
  const tools = findFirst(params, 'tools') ?? findFirst(inputs, 'tools');
  if (Array.isArray(tools)) set('gen_ai.tool.definitions', tools);
  const usage = findUsage(outputs) ?? {};
  const count = (field: string, ...names: readonly string[]): number | undefined =>
    row.number(field) ?? parseNumber(findFirst(usage, ...names));
  set('llm.token_count.prompt', count('prompt_tokens', 'input_tokens', 'prompt_tokens'));
  set('llm.token_count.completion', count('completion_tokens', 'output_tokens', 'completion_tokens'));
  set('llm.token_count.total', count('total_tokens', 'total_tokens'));
  const input = row.object('prompt_token_details') ?? object(usage, 'input_token_details');
  const output = row.object('completion_token_details') ?? object(usage, 'output_token_details');
  set('llm.token_count.prompt_details.cache_read', findFirst(input, 'cache_read'));
  set('llm.token_count.prompt_details.cache_write', findFirst(input, 'cache_creation'));
  set('llm.token_count.completion_details.reasoning', findFirst(output, 'reasoning'));
  set('llm.cost.total', row.number('total_cost'));
  const first = row.time('first_token_time');
  if (first !== null && start !== null) set('gen_ai.response.time_to_first_chunk', Number(BigInt(first) - BigInt(start)) / 1e9);
}

/** One text under one name is that text; more is JSON. */
function toText(values: JsonObject): string | undefined {
  const entries = Object.entries<JsonValue>(values);
  if (entries.length === 0) return undefined;
  return entries.length === 1 && typeof entries[0]![1] === 'string' ? entries[0]![1] : JSON.stringify(values);
}

const toEvent = ({ name, time, ...rest }: JsonObject): ImportedEvent => ({
  name: String(name ?? 'event'),
  time: toNanos(time),
  attributes: rest,
});
