import { z } from 'zod';
import { AppError, type Issue } from '../../kernel/errors.ts';
import type { Explain } from '../../kernel/explain.ts';
import { UP_TO_FIRST_ISSUE } from '../../kernel/first-issue.ts';
import { findNonFinite, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import type { NewId } from '../../kernel/ports.ts';
import { toUtc } from '../../kernel/timestamp.ts';
import { BLANK_RECORD } from '../blank-record.ts';
import {
  COMMON_FIELD_NAMES,
  COMMON_FIELDS,
  FIELDS_AS_SENT,
  MAP_FIELDS,
  OWN_FIELD_NAMES,
  ownField,
  PAYLOAD_FIELDS,
} from '../catalogue/record-fields.ts';
import { bySpanType, type OwnField, ownFieldsOf, type RecordType, recordType, SPAN_TYPES } from '../catalogue/span-types.ts';
import { SYSTEM_METRICS, systemMetricEntry } from '../catalogue/system-metrics.ts';
import { canonicalRole } from '../message-role.ts';
import type { LogRecord } from '../record.ts';
import { FLAT, MAX_SPANS_PER_TRACE } from './ingest-schema.ts';

/** Where a batch goes and what its records inherit. */
export interface Destination {
  readonly project_id: string;
  readonly run_id: string;
  /** Given for the whole batch; a record's own session wins. */
  readonly session_id: string | undefined;
  readonly is_complete: boolean;
  readonly now: string;
  readonly newId: NewId;
}

interface Parent {
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly session_id: string | undefined;
  readonly created_at: string;
}

type Loc = readonly (string | number)[];
type Raw = Readonly<Record<string, JsonValue | undefined>>;
const MAX_ISSUES = 100;
/** Fields that may hold numbers of the sender's own. */
const NESTED_FIELDS = [...MAP_FIELDS, ...OWN_FIELD_NAMES.filter((name) => ownField(name).kind === 'objects'), ...PAYLOAD_FIELDS];
const compiled = Object.fromEntries(Object.entries(FLAT).map(([type, schema]) => [type, z.compile(schema)])) as Record<
  RecordType,
  z.ZodType
>;

/** Flattens traces into records, parents before children; the ids that are missing are made. */
export function flattenTraces(traces: readonly unknown[], to: Destination, explain: Explain): LogRecord[] {
  const walk = new Walk(to, explain);
  for (const [index, trace] of traces.entries()) walk.trace(trace, ['body', 'traces', index]);
  return walk.finish();
}

/** A trace of a batch that is not valid: its place in the batch, and why. */
export interface RefusedTrace {
  readonly index: number;
  readonly issues: readonly Issue[];
}

/** As `flattenTraces`, each trace for itself: one that is not valid is left out. At most so many issues are listed of all of them. */
export function flattenEachTrace(
  traces: readonly unknown[],
  to: Destination,
  explain: Explain,
): { readonly records: LogRecord[]; readonly refused: RefusedTrace[] } {
  const records = new Map<string, LogRecord>();
  const refused: RefusedTrace[] = [];
  let listed = 0;
  for (const [index, trace] of traces.entries()) {
    const walk = new Walk(to, explain);
    const loc = ['body', 'traces', index];
    walk.trace(trace, loc);
    const issues = [...walk.issues, ...standingElsewhere(walk.records, records, loc)];
    if (issues.length > 0) refused.push({ index, issues: issues.slice(0, Math.max(1, MAX_ISSUES - listed)) });
    else for (const record of walk.records) records.set(record.id, record);
    listed += issues.length;
  }
  return { records: [...records.values()], refused };
}

/** Of records that an earlier trace of the batch has already. */
function standingElsewhere(own: Iterable<LogRecord>, earlier: ReadonlyMap<string, LogRecord>, loc: Loc): Issue[] {
  const twins = [...own].filter(({ id, trace_id }) => (earlier.get(id)?.trace_id ?? trace_id) !== trace_id);
  return twins.slice(0, MAX_ISSUES).map(({ id }) => inTwoTraces(id, loc));
}

const inTwoTraces = (id: string, loc: Loc): Issue => ({
  loc,
  msg: `record ${id} stands in two traces of this batch`,
  type: 'record_in_other_trace',
});

/** Flattens spans under a record that exists already. */
export function flattenSpans(spans: readonly unknown[], under: LogRecord, to: Destination, explain: Explain): LogRecord[] {
  const walk = new Walk(to, explain);
  const parent = { trace_id: under.trace_id, parent_id: under.id, session_id: under.session_id, created_at: to.now };
  walk.spans(spans, parent, ['body', 'spans']);
  return walk.finish();
}

/** One pass over a batch. Values are taken from what was sent, not from a copy made by the schema: a copy loses keys such as `__proto__`. */
class Walk {
  readonly #to: Destination;
  readonly #explain: Explain;
  readonly #issues: Issue[] = [];
  readonly #records = new Map<string, LogRecord>();

  constructor(to: Destination, explain: Explain) {
    this.#to = to;
    this.#explain = explain;
  }

  get issues(): readonly Issue[] {
    return this.#issues;
  }

  get records(): Iterable<LogRecord> {
    return this.#records.values();
  }

  trace(raw: unknown, loc: Loc): void {
    if (!this.#accepts('trace', raw, loc)) return;
    const id = lower(raw.id) ?? this.#to.newId();
    const session_id = lower(raw.session_id) ?? this.#to.session_id ?? id;
    const created_at = toTimestamp(raw.created_at) ?? this.#to.now;
    const children = (raw.spans ?? []) as readonly unknown[];
    this.#keep(toRecord('trace', id, raw, { trace_id: id, parent_id: null, session_id, created_at }, this.#to), loc);
    this.spans(children, { trace_id: id, parent_id: id, session_id, created_at }, [...loc, 'spans']);
  }

  spans(children: readonly unknown[], parent: Parent, loc: Loc): void {
    const open = [{ children, parent, loc }];
    let seen = 0;
    for (let next = open.pop(); next; next = open.pop()) {
      for (const [index, raw] of next.children.entries()) {
        seen += 1;
        if (seen > MAX_SPANS_PER_TRACE) {
          this.#refuse([...loc], 'too_many_spans', `more than ${MAX_SPANS_PER_TRACE} spans`);
          return;
        }
        const at = [...next.loc, index];
        const type = getType(raw);
        if (type === undefined) this.#refuseType(raw, at);
        else if (this.#accepts(type, raw, at)) {
          const id = lower(raw.id) ?? this.#to.newId();
          if (id === next.parent.trace_id) this.#refuse([...at, 'id'], 'id_of_trace', 'the id is the one of the trace');
          const record = toRecord(type, id, raw, next.parent, this.#to);
          this.#keep(record, at);
          const grandchildren = (raw.spans ?? []) as readonly unknown[];
          if (grandchildren.length > 0)
            open.push({ children: grandchildren, parent: { ...next.parent, parent_id: id }, loc: [...at, 'spans'] });
        }
      }
    }
  }

  /** Throws AppError `invalid` with all issues, or returns the records; of records with the same id the last one. */
  finish(): LogRecord[] {
    if (this.#issues.length > 0)
      throw new AppError('invalid', 'records_invalid', 'records are not valid', { issues: this.#issues });
    return [...this.#records.values()];
  }

  #keep(record: LogRecord, loc: Loc): void {
    const twin = this.#records.get(record.id);
    if (twin && twin.trace_id !== record.trace_id && this.#issues.length < MAX_ISSUES)
      this.#issues.push(inTwoTraces(record.id, [...loc, 'id']));
    this.#records.set(record.id, record);
  }

  #accepts(type: RecordType, raw: unknown, loc: Loc): raw is Raw {
    if (!compiled[type].safeParse(raw, UP_TO_FIRST_ISSUE).success) {
      if (this.#issues.length < MAX_ISSUES)
        this.#issues.push(...this.#explain(FLAT[type], raw, loc).slice(0, MAX_ISSUES - this.#issues.length));
      return false;
    }
    if (Object.hasOwn(raw as Raw, '__proto__'))
      this.#refuse([...loc, '__proto__'], 'name_reserved', 'a field cannot have this name');
    for (const field of NESTED_FIELDS) {
      const value = (raw as Raw)[field];
      if (typeof value !== 'object' || value === null || !findNonFinite(value)) continue;
      const { loc: at, type: problem, msg } = nonFiniteIssue(value, [...loc, field])!;
      this.#refuse(at, problem, msg);
    }
    return true;
  }

  #refuseType(raw: unknown, loc: Loc): void {
    const type = typeof raw === 'object' && raw !== null ? (raw as Raw).type : undefined;
    const msg = type === undefined ? 'field required' : `type is none of ${SPAN_TYPES.join(', ')}`;
    this.#refuse([...loc, 'type'], type === undefined ? 'missing' : 'invalid_value', msg);
  }

  #refuse(loc: Loc, type: string, msg: string): void {
    if (this.#issues.length < MAX_ISSUES) this.#issues.push({ loc, msg, type });
  }
}

/** A number that would be given back as null, if there is one. */
export function nonFiniteIssue(value: JsonValue | undefined, loc: Loc): Issue | undefined {
  const path = typeof value === 'object' && value !== null ? findNonFinite(value) : undefined;
  return path && { loc: [...loc, ...path], msg: 'the number is outside the range of a double', type: 'number_not_finite' };
}

function getType(raw: unknown): RecordType | undefined {
  const type = typeof raw === 'object' && raw !== null ? (raw as Raw).type : undefined;
  return SPAN_TYPES.find((known) => known === type);
}

const lower = (id: JsonValue | undefined): string | undefined => (typeof id === 'string' ? id.toLowerCase() : undefined);
const toTimestamp = (moment: JsonValue | undefined): string | undefined =>
  typeof moment === 'string' ? toUtc(moment) : undefined;

function toRecord(type: RecordType, id: string, raw: Raw, parent: Parent, to: Destination): LogRecord {
  const children = raw.spans as readonly unknown[] | null | undefined;
  const record: { -readonly [F in keyof LogRecord]: LogRecord[F] } = { ...IN_ORDER };
  record.id = id;
  record.project_id = to.project_id;
  record.run_id = to.run_id;
  record.trace_id = parent.trace_id;
  record.parent_id = parent.parent_id;
  record.session_id = parent.session_id ?? parent.trace_id;
  record.type = type;
  record.created_at = toTimestamp(raw.created_at) ?? parent.created_at;
  record.updated_at = to.now;
  record.is_complete = to.is_complete;
  record.has_children = (children?.length ?? 0) > 0;
  record.attributes = toAttributes(type, raw);
  record.metrics = toMetrics(raw.metrics as JsonObject | null | undefined);
  const byName = record as unknown as Record<string, JsonValue>;
  for (const name of AS_SENT) {
    const sent = raw[name];
    if (sent !== undefined && sent !== null) byName[name] = sent;
  }
  for (const { name, side } of PAYLOADS) {
    const sent = raw[name];
    if (sent !== undefined && sent !== null) byName[name] = checkPayload(type, side, sent);
  }
  return record;
}

/** Fields that only some types have, of those that senders may give. */
const sentFieldsOf = (type: RecordType): readonly OwnField[] =>
  ownFieldsOf(type).filter((name) => ownField(name).sent !== undefined);
const SENT_FIELDS: Readonly<Record<RecordType, readonly OwnField[]>> = {
  trace: sentFieldsOf('trace'),
  ...bySpanType(sentFieldsOf),
};

/** Every field in the order of the catalogue: what is not said of a record stays like this. */
const IN_ORDER = {
  ...Object.fromEntries(COMMON_FIELD_NAMES.map((name) => [name, null])),
  ...BLANK_RECORD,
} as unknown as LogRecord;

/** Metrics are renamed on the way. */
const AS_SENT = FIELDS_AS_SENT.filter((name) => name !== 'metrics');
const PAYLOADS = PAYLOAD_FIELDS.map((name) => ({ name, side: COMMON_FIELDS[name].side }));

function toAttributes(type: RecordType, raw: Raw): JsonObject {
  const attributes: Record<string, JsonValue> = {};
  for (const name of SENT_FIELDS[type]) {
    const value = raw[name] ?? ownField(name).absent;
    if (value !== undefined) attributes[name] = value;
  }
  return attributes;
}

/** Some clients count tokens in camelCase; everything is kept, under the names the API uses. */
const METRIC_NAMES: ReadonlyMap<string, string> = new Map([
  ['numReasoningTokens', 'num_reasoning_tokens'],
  ['numCachedInputTokens', 'num_cached_input_tokens'],
  ...SYSTEM_METRICS.map((name) => [systemMetricEntry(name).also, name] as const),
]);

function toMetrics(raw: JsonObject | null | undefined): JsonObject {
  for (const name in raw) if (raw[name] === null || METRIC_NAMES.has(name)) return renamedMetrics(raw);
  return raw ?? {};
}

function renamedMetrics(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([, value]) => value !== null);
  return Object.fromEntries(kept.map(([name, value]) => [METRIC_NAMES.get(name) ?? name, value]));
}

/** A payload as it is kept: bare texts of a model call become messages, roles and old spellings of a document those the API uses. */
export function checkPayload(type: RecordType, side: 'input' | 'output', value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  const form = recordType(type)[side];
  if (form === 'messages') {
    if (typeof value === 'string') return [{ role: 'user', content: value }];
    return (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map(toMessage);
  }
  if (form === 'message' && typeof value === 'string') return { role: 'assistant', content: value };
  if (form === 'documents') return (Array.isArray(value) ? value : [value]).map(toDocument);
  if (typeof value === 'string' || form === 'content') return value;
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(toMessage) : toMessage(value);
}

/** Converts a message; any other value stays as it is. */
function toMessage(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'content')) return value;
  const { role, content } = value as JsonObject;
  if (typeof role !== 'string') return value;
  const canonical = canonicalRole(role);
  if (canonical === role && content !== null) return value;
  return { ...(value as JsonObject), role: canonical, content: content ?? '' };
}

function toDocument(value: JsonValue): JsonValue {
  if (typeof value === 'string') return { content: value, metadata: {} };
  if (isStoredForm(value as JsonObject)) return value;
  const { page_content, content, metadata, ...rest } = value as JsonObject;
  return { ...rest, content: content ?? page_content ?? '', metadata: metadata ?? {} };
}

const isStoredForm = ({ content, metadata, page_content }: JsonObject): boolean =>
  content !== undefined && metadata !== undefined && metadata !== null && page_content === undefined;
