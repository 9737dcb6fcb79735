import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { findFirst, isJsonObject, toStructured } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, ImportedEvent, ImportedSpan, ImportedTrace, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toNanos } from '../source-time.ts';
import { toAssessment } from './assessment.ts';
import { toMlflowSpan, toMlflowTrace } from './ids.ts';

/** Facts of the other installation, and those that spans say better. */
const FOREIGN =
  /^mlflow\.(artifactLocation|trace_schema\.version|traceInputs|traceOutputs|trace\.(tokenUsage|sizeBytes|sizeStats|spansLocation|cost)|user|source\.(git\..*)|trace\.tokenUsage)$/;
const REPEATED = [
  'experiment_id',
  'trace_location',
  'request_preview',
  'response_preview',
  'execution_duration',
  'execution_time',
];

/** A trace with its spans and assessments, in the shape of version 2 or 3, or as a row of a table. */
export function toTrace(row: SourceRow, context: RowContext): readonly Imported[] | undefined {
  const info = row.object('info');
  const facts = info === undefined ? row : row.inner(info);
  const data = row.object('data');
  const source_id = facts.text('trace_id', 'request_id');
  if (source_id === undefined) return undefined;
  const spans = (data === undefined ? row.list('spans') : toList(data.spans)).map(toStructured).filter(isJsonObject);
  const otel = spans.map((span) => findFirst(span, 'otel_trace_id') ?? findFirst(findFirst(span, 'context'), 'trace_id'));
  // Version 3 of the shape has the digits in the id itself, older ones beside the spans.
  const named = otel.find((id): id is string => typeof id === 'string' && id !== '');
  const trace_id = toMlflowTrace(named ?? source_id);
  const trace = toFacts(facts, {
    trace_id,
    source_id,
    request: textOf(row, data, 'request'),
    response: textOf(row, data, 'response'),
  });
  const assessments = facts.list('assessments').filter(isJsonObject);
  const kept: Record<string, JsonValue> = { ...trace.metadata };
  facts.skip(...REPEATED);
  if (info !== undefined) row.skip('info', 'data');
  for (const [name, value] of [...facts.rest(), ...(info === undefined ? [] : row.rest())]) kept[`mlflow.${name}`] = value;
  return [
    { ...trace, metadata: kept },
    ...spans.map((span) => toSpan(row.inner(span), trace_id)),
    ...assessments.flatMap(
      (one) => toAssessment(row.inner({ ...one, trace_id: one.trace_id ?? source_id }), context, trace_id) ?? [],
    ),
  ];
}

const toList = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/** Values are JSON text, texts too. */
function textOf(row: SourceRow, data: JsonObject | undefined, name: string): JsonValue | undefined {
  const found = data === undefined ? row.value(name) : (data[name] ?? undefined);
  return found === undefined ? undefined : unquoted(found);
}

const unquoted = (value: JsonValue): JsonValue => {
  const read = toStructured(value);
  return typeof read === 'string' ? read : value;
};

interface Known {
  readonly trace_id: string;
  readonly source_id: string;
  readonly request: JsonValue | undefined;
  readonly response: JsonValue | undefined;
}

function toFacts(
  facts: SourceRow,
  { trace_id, source_id, request, response }: Known,
): ImportedTrace & { readonly metadata: JsonObject } {
  const metadata = { ...toMap(facts.structured('trace_metadata', 'request_metadata')) };
  const tags = { ...toMap(facts.structured('tags')) };
  const take = (map: Record<string, JsonValue>, ...names: readonly string[]): string | undefined => {
    const name = names.find((one) => map[one] !== undefined && map[one] !== null && map[one] !== '');
    if (name === undefined) return undefined;
    const value = String(map[name]);
    delete map[name];
    return value;
  };
  const name = take(tags, 'mlflow.traceName');
  const session = take(metadata, 'mlflow.trace.session') ?? take(tags, 'session_id', 'mlflow.trace.session');
  const user_id = take(metadata, 'mlflow.trace.user') ?? take(tags, 'user_id', 'mlflow.trace.user');
  const start = facts.time('request_time', 'timestamp_ms', 'timestamp');
  const millis = facts.number('execution_duration_ms', 'execution_time_ms') ?? toMillis(facts.value('execution_duration'));
  const end = start === null || millis === undefined ? null : String(BigInt(start) + BigInt(Math.round(millis * 1e6)));
  const state = facts.text('state', 'status')?.toUpperCase() ?? '';
  const all = Object.entries({ ...metadata, ...tags }).filter(([key]) => !FOREIGN.test(key));
  return {
    kind: 'trace',
    trace_id,
    source_id,
    name,
    start,
    end,
    input: request,
    output: response,
    session,
    user_id,
    failed: /ERROR/.test(state),
    metadata: Object.fromEntries(all),
  };
}

/** Tags are a map, or, in older replies, a list of keys and values. */
function toMap(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  const pairs = toList(value).filter(isJsonObject);
  return Object.fromEntries(pairs.flatMap(({ key, value: one }) => (typeof key === 'string' ? [[key, one ?? null]] : [])));
}

/** `1.5s`, or milliseconds. */
function toMillis(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const seconds = typeof value === 'string' ? /^([\d.]+)s$/.exec(value)?.[1] : undefined;
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function toSpan(row: SourceRow, trace_id: string): ImportedSpan {
  const context = row.object('context');
  const source_id = row.text('span_id') ?? String(findFirst(context, 'span_id') ?? '');
  const parent = row.text('parent_span_id', 'parent_id');
  const status = row.object('status') ?? {};
  const code = String(findFirst(status, 'code') ?? row.value('status_code') ?? '').toUpperCase();
  const message = findFirst(status, 'message') ?? row.value('status_message');
  const failed = /ERROR/.test(code) || code === '2';
  const attributes: Record<string, JsonValue> = { ...row.object('attributes') };
  // Older tables have these beside the attributes.
  for (const [field, name] of [
    ['inputs', 'mlflow.spanInputs'],
    ['outputs', 'mlflow.spanOutputs'],
    ['span_type', 'mlflow.spanType'],
  ] as const) {
    const value = row.value(field);
    if (value !== undefined) attributes[name] ??= typeof value === 'string' ? value : JSON.stringify(value);
  }
  row.skip(
    'trace_id',
    'request_id',
    'otel_trace_id',
    'trace_state',
    'context',
    'mlflow_span_dict_version',
    'kind',
    'resource',
    'span_dict_version',
  );
  delete attributes['mlflow.traceRequestId'];
  const events = row.list('events').filter(isJsonObject).map(toEvent);
  const [start, end] = [row.time('start_time_unix_nano', 'start_time'), row.time('end_time_unix_nano', 'end_time')];
  const name = row.text('name') ?? 'span';
  for (const [field, value] of row.rest()) attributes[`mlflow.span.${field}`] = value;
  return {
    kind: 'span',
    trace_id,
    span_id: toMlflowSpan(source_id),
    parent_id: parent === undefined ? null : toMlflowSpan(parent),
    source_id,
    name,
    start,
    end,
    attributes,
    events,
    failed,
    error: failed && typeof message === 'string' ? message : null,
  };
}

function toEvent({ name, timestamp, time_unix_nano, attributes }: JsonObject): ImportedEvent {
  return {
    name: String(name ?? 'event'),
    time: toNanos(time_unix_nano ?? timestamp),
    attributes: isJsonObject(attributes) ? attributes : {},
  };
}
