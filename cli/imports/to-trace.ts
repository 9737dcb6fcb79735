import type { JsonObject, JsonValue } from '../../core/kernel/json.ts';
import { isoOfNanos } from '../../core/otel/otel-time.ts';
import { cut, storable } from '../../core/otel/storable.ts';
import { toJsonText } from '../../core/plugin-sdk/otel/index.ts';
import { SYSTEM_METRICS } from '../../core/traces/catalogue/system-metrics.ts';
import { toRecordId } from './record-ids.ts';
import type { ImportedScore, ImportedSpan, ImportedTrace } from './shapes.ts';
import type { SpanReading, SpanRecord } from './to-record.ts';

/** A rating that people gave, as the API takes it. */
export interface Rating {
  readonly record_id: string;
  readonly name: string;
  readonly feedback_type: 'like_dislike' | 'text' | 'tags' | 'score';
  readonly value: boolean | number | string | readonly string[];
  readonly explanation: string | null;
}

export interface BuiltTrace {
  /** As the API takes it, without its spans. */
  readonly trace: JsonObject & { readonly id: string };
  /** Parents before children. */
  readonly spans: readonly BuiltSpan[];
  readonly ratings: readonly Rating[];
  /** Its session, by the name that the other product knows it by. */
  readonly session: string | undefined;
  /** Scores that became metrics of their record. */
  readonly scores: number;
  /** Things that do not arrive as they were, each by why. */
  readonly left_out: readonly string[];
}

export interface BuiltSpan {
  readonly id: string;
  /** A span of the same trace, or the trace. */
  readonly parent_id: string;
  readonly fields: JsonObject;
}

export type OfTrace = ImportedSpan | ImportedTrace | ImportedScore;

const MAX_NAME = 1024;
const MAX_RATING_NAME = 255;
const MAX_TEXT = 10_000;
const MAX_TAG = 255;
const MAX_TAGS = 50;
const MAX_SCORE = 100;
const TAKEN = new Set<string>([...SYSTEM_METRICS, 'cost']);

/** Builds one trace of all that exports say of it: its spans as a tree, the record of the trace, and its scores. */
export function toTrace(items: readonly OfTrace[], reading: SpanReading): BuiltTrace {
  const { trace_id } = items[0]!;
  const records = toRecords(items, reading);
  const spans = inOrder(records, toRecordId(trace_id!));
  const facts = items.filter((item) => item.kind === 'trace');
  const left_out = records.filter(({ is_cut }) => is_cut).map(() => 'part of a text of more than a megabyte');
  const built = toTraceRecord(trace_id!, facts, records, items);
  const scored = withScores(
    items.filter((item) => item.kind === 'score'),
    [built.trace, ...spans.map(({ fields }) => fields)],
  );
  const [trace, ...fields] = scored.records as [BuiltTrace['trace'], ...JsonObject[]];
  return {
    trace,
    spans: spans.map((span, at) => ({ ...span, fields: fields[at]! })),
    ratings: scored.ratings,
    session: built.session,
    scores: scored.scores,
    left_out: [...left_out, ...scored.left_out],
  };
}

/** Of a span that came twice, from two pages of an API perhaps, the later one. */
function toRecords(items: readonly OfTrace[], reading: SpanReading): SpanRecord[] {
  const last = new Map<string, ImportedSpan>();
  for (const item of items) if (item.kind === 'span') last.set(item.span_id, item);
  return [...last.values()].map((span) => reading.toRecord(span));
}

/** Parents before children, siblings by time. A span whose parent is not there, or that is its own ancestor, stands under the trace. */
function inOrder(records: readonly SpanRecord[], trace_record_id: string): BuiltSpan[] {
  const known = new Set(records.map(({ id }) => id));
  const byTime = [...records].sort((one, other) => (getTime(one) < getTime(other) ? -1 : 1));
  const children = Map.groupBy(byTime, ({ parent_id, id }) =>
    known.has(parent_id) && parent_id !== id ? parent_id : trace_record_id,
  );
  const ordered: BuiltSpan[] = [];
  const seen = new Set<string>();
  const hang = (record: SpanRecord, parent_id: string): void => {
    const open = [{ record, parent_id }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { id, fields } = next.record;
      if (seen.has(id)) continue;
      seen.add(id);
      ordered.push({ id, parent_id: next.parent_id, fields });
      for (const child of (children.get(id) ?? []).toReversed()) open.push({ record: child, parent_id: id });
    }
  };
  for (const root of children.get(trace_record_id) ?? []) hang(root, trace_record_id);
  for (const record of byTime) if (!seen.has(record.id)) hang(record, trace_record_id);
  return ordered;
}

const getTime = ({ fields }: SpanRecord): string => String(fields.created_at);

/** The record of the trace: what the export says of it, else what its first root span says. */
function toTraceRecord(
  trace_id: string,
  given: readonly ImportedTrace[],
  records: readonly SpanRecord[],
  items: readonly OfTrace[],
): { trace: BuiltTrace['trace']; session: string | undefined } {
  const facts = Object.assign({}, ...given.map(withoutHoles)) as Partial<ImportedTrace>;
  const spans = items.filter((item) => item.kind === 'span');
  const roots = records.filter(({ of_trace }) => of_trace.parent_external_id === null);
  const root = (roots.length > 0 ? roots : records).toSorted((one, other) => (getTime(one) < getTime(other) ? -1 : 1))[0];
  const said = records.map(({ of_trace }) => of_trace);
  const first = <T>(values: readonly (T | null | undefined)[]): T | undefined =>
    values.find((value) => value !== null && value !== undefined) ?? undefined;
  const start = facts.start ?? earliest(spans.map((span) => span.start));
  const end = facts.end ?? latest(spans.map((span) => span.end));
  const user_id = facts.user_id ?? first(said.map((one) => one.user_id));
  const metadata = Object.assign({}, ...given.map(({ metadata = {} }) => metadata)) as JsonObject;
  const tags = [
    ...new Set([...given.flatMap(({ tags: own = [] }) => own), ...records.flatMap(({ fields }) => fields.tags as string[])]),
  ];
  const failed = facts.failed ?? (root?.fields.status_code ?? 200) === 500;
  const trace = {
    id: toRecordId(trace_id),
    external_id: cut(facts.source_id ?? root?.of_trace.trace_external_id ?? trace_id, MAX_NAME),
    name: cut(facts.name ?? first(said.map(({ trace_name }) => trace_name)) ?? String(root?.fields.name ?? ''), MAX_NAME),
    ...(start !== null && { created_at: isoOfNanos(BigInt(start)) }),
    input: toText(facts.input) ?? first(said.map(({ trace_input }) => trace_input)) ?? root?.of_trace.input_text ?? '',
    output: toText(facts.output) ?? first(said.map(({ trace_output }) => trace_output)) ?? root?.of_trace.output_text ?? null,
    status_code: failed ? 500 : 200,
    tags: tags.slice(0, MAX_TAGS).map((tag) => cut(tag, MAX_TAG)),
    user_metadata: {
      ...(user_id !== undefined && { 'user.id': user_id }),
      ...Object.fromEntries(Object.entries<JsonValue>(metadata).map(([key, value]) => [key, toJsonText(value)])),
    },
    metrics: { ...toDuration(start, end) },
  };
  return {
    trace: storable(trace as unknown as JsonObject) as BuiltTrace['trace'],
    session: facts.session ?? first(said.map(({ session }) => session)),
  };
}

const withoutHoles = (facts: ImportedTrace): object =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null));

const toText = (value: JsonValue | undefined): string | undefined => (value === undefined ? undefined : toJsonText(value));

const moments = (values: readonly (string | null)[]): bigint[] =>
  values.flatMap((value) => (value === null ? [] : BigInt(value)));
const earliest = (values: readonly (string | null)[]): string | null => {
  const all = moments(values);
  return all.length === 0 ? null : String(all.reduce((one, other) => (other < one ? other : one)));
};
const latest = (values: readonly (string | null)[]): string | null => {
  const all = moments(values);
  return all.length === 0 ? null : String(all.reduce((one, other) => (other > one ? other : one)));
};

function toDuration(start: string | null, end: string | null): { duration_ns?: number } {
  if (start === null || end === null) return {};
  const duration_ns = Number(BigInt(end) - BigInt(start));
  return duration_ns < 0 ? {} : { duration_ns };
}

interface Scored {
  readonly records: readonly JsonObject[];
  readonly ratings: readonly Rating[];
  readonly scores: number;
  readonly left_out: readonly string[];
}

/**
 * Numbers, and everything that programs say, are metrics of the record, as scores are that a client logs; what people say otherwise are
 * ratings. Of several of one name the newest counts, and the others are told beside it.
 */
function withScores(scores: readonly ImportedScore[], records: readonly JsonObject[]): Scored {
  const at = new Map(records.map((record, place) => [record.id as string, place]));
  const changed = [...records];
  const ratings = new Map<string, Rating>();
  const left_out: string[] = [];
  let count = 0;
  const order = [...scores].sort((one, other) => ((one.at ?? '') < (other.at ?? '') ? -1 : 1));
  for (const score of order) {
    const id = toRecordId(score.trace_id!, score.span_id);
    const place = at.get(id);
    if (place === undefined) left_out.push('a score of a record that is not among the files');
    else if (isRating(score)) {
      const key = JSON.stringify([id, score.name]);
      if (ratings.has(key)) left_out.push('an earlier rating of the same name');
      ratings.set(key, toRating(id, score));
    } else {
      changed[place] = withMetric(changed[place]!, score);
      count += 1;
    }
  }
  return { records: changed, ratings: [...ratings.values()], scores: count, left_out };
}

const isRating = ({ by, value }: ImportedScore): boolean => by === 'person' && typeof value !== 'number';

export function toRating(record_id: string, { name, value, explanation }: ImportedScore): Rating {
  const named = { record_id, name: cut(name, MAX_RATING_NAME), explanation: explanation ? cut(explanation, MAX_TEXT) : null };
  if (typeof value === 'boolean') return { ...named, feedback_type: 'like_dislike', value };
  if (typeof value === 'number') return { ...named, feedback_type: 'score', value };
  if (typeof value === 'string') return { ...named, feedback_type: 'text', value: cut(value, MAX_TEXT) };
  return { ...named, feedback_type: 'tags', value: value.slice(0, MAX_TAGS).map((tag) => cut(tag, MAX_TAG)) };
}

/** Ratings have no fractions: of a session, which has no metrics, such a number has no place. */
export const canRate = ({ value }: ImportedScore): boolean =>
  typeof value !== 'number' || (Number.isInteger(value) && value >= 0 && value <= MAX_SCORE);

/** Names as the service itself uses them are not taken from it. */
function withMetric(record: JsonObject, score: ImportedScore): JsonObject {
  const name = cut(TAKEN.has(score.name) ? `score.${score.name}` : score.name, MAX_RATING_NAME);
  const metrics = record.metrics as JsonObject;
  const metadata = record.user_metadata as Record<string, string>;
  const earlier = Object.hasOwn(metrics, name)
    ? { [`evaluation.${name}.earlier`]: toEarlier(metadata, name, metrics[name]!) }
    : {};
  const explained = {
    ...(score.label && { [`evaluation.${name}.label`]: score.label }),
    ...(score.explanation && { [`evaluation.${name}.explanation`]: score.explanation }),
  };
  return {
    ...record,
    metrics: { ...metrics, [name]: toMetric(score.value) },
    user_metadata: { ...metadata, ...explained, ...earlier },
  };
}

function toEarlier(metadata: Readonly<Record<string, string>>, name: string, value: JsonValue): string {
  const before = metadata[`evaluation.${name}.earlier`];
  return JSON.stringify([...(before ? (JSON.parse(before) as JsonValue[]) : []), value]);
}

function toMetric(value: ImportedScore['value']): number | string {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);
}
