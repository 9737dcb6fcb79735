import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import type { OtlpLogRequest } from '../../core/otel/logs/otlp-log.ts';
import type { OtlpRequest } from '../../core/otel/spans/otlp-span.ts';
import { JsonCursor } from './json-cursor.ts';
import {
  enumAt,
  getField,
  getObject,
  idAt,
  type JsonFields,
  listAt,
  objectAt,
  parseInteger,
  textAt,
  unsignedAt,
} from './json-fields.ts';
import { type BoundedFields, inObject, readFields, readItems } from './json-parts.ts';
import { isMalformed, malformed, type RequestBudget } from './request-budget.ts';
import {
  doubleValue,
  type EventDraft,
  intValue,
  type LinkDraft,
  type LogDraft,
  newSpan,
  type ScopeDraft,
  type SpanDraft,
} from './span-draft.ts';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((name) => `SPAN_KIND_${name}`);
const CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

/** How one signal calls its messages, and how one of its items is read. */
interface JsonSignal<T> {
  readonly resources: string;
  readonly scopes: string;
  readonly items: string;
  readonly read: (fields: BoundedFields, budget: RequestBudget) => T;
}

interface ItemsOfScope<T> {
  scope: ScopeDraft['scope'];
  items: T[];
}

interface ItemsOfResource<T> {
  resource: Map<string, JsonValue>;
  scopes: ItemsOfScope<T>[];
}

const SPANS: JsonSignal<SpanDraft> = { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans', read: readSpan };
const LOGS: JsonSignal<LogDraft> = { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords', read: readLog };

/** Reads an ExportTraceServiceRequest in OTLP/JSON. */
export function* readJsonSpans(body: Uint8Array, budget: RequestBudget): Steps<OtlpRequest> {
  const { resources, malformed } = yield* readRequest(body, budget, SPANS);
  const resource_spans = resources.map(({ resource, scopes }) => ({
    resource,
    scope_spans: scopes.map(({ scope, items }) => ({ scope, spans: items })),
  }));
  return { resource_spans, malformed };
}

/** Reads an ExportLogsServiceRequest in OTLP/JSON. */
export function* readJsonLogs(body: Uint8Array, budget: RequestBudget): Steps<OtlpLogRequest> {
  const { resources, malformed } = yield* readRequest(body, budget, LOGS);
  const resource_logs = resources.map(({ resource, scopes }) => ({
    resource,
    scope_logs: scopes.map(({ scope, items }) => ({ scope, logs: items })),
  }));
  return { resource_logs, malformed };
}

/**
 * Reads a request in OTLP/JSON: ids in hex, names in lowerCamelCase, unknown names ignored. Item by item, with turns for others
 * between them. An item with a field of the wrong kind is left out and named; a body that is no JSON, or has another shape, is
 * refused as a whole.
 */
function* readRequest<T>(
  body: Uint8Array,
  budget: RequestBudget,
  signal: JsonSignal<T>,
): Steps<{ resources: ItemsOfResource<T>[]; malformed: string[] }> {
  const cursor = new JsonCursor(body, budget);
  const bad: string[] = [];
  let resources: ItemsOfResource<T>[] = [];
  yield* inObject(cursor, 'the body', budget, {
    *[signal.resources]() {
      resources = yield* readItems(cursor, signal.resources, budget, () => readResource(cursor, budget, signal, bad));
    },
  });
  cursor.end();
  return { resources, malformed: bad };
}

function* readResource<T>(
  cursor: JsonCursor,
  budget: RequestBudget,
  signal: JsonSignal<T>,
  bad: string[],
): Steps<ItemsOfResource<T>> {
  const draft: ItemsOfResource<T> = { resource: new Map(), scopes: [] };
  yield* inObject(cursor, signal.resources, budget, {
    *resource() {
      const { fields } = yield* readFields(cursor, 'resource', budget);
      draft.resource = readAttributes(fields, budget, Number.POSITIVE_INFINITY);
    },
    *[signal.scopes]() {
      draft.scopes = yield* readItems(cursor, signal.scopes, budget, () => readScope(cursor, budget, signal, bad));
    },
  });
  return draft;
}

function* readScope<T>(cursor: JsonCursor, budget: RequestBudget, signal: JsonSignal<T>, bad: string[]): Steps<ItemsOfScope<T>> {
  const draft: ItemsOfScope<T> = { scope: { name: '', version: '' }, items: [] };
  yield* inObject(cursor, signal.scopes, budget, {
    *scope() {
      const { fields } = yield* readFields(cursor, 'scope', budget);
      draft.scope = { name: textAt(fields, 'name'), version: textAt(fields, 'version') };
    },
    *[signal.items]() {
      const items = yield* readItems(cursor, signal.items, budget, function* () {
        budget.takeItem();
        return readGood(signal, yield* readFields(cursor, signal.items, budget), budget, bad);
      });
      draft.items = items.filter((item) => item !== undefined);
    },
  });
  return draft;
}

/** Undefined for an item that has a field of the wrong kind. */
function readGood<T>(signal: JsonSignal<T>, fields: BoundedFields, budget: RequestBudget, bad: string[]): T | undefined {
  try {
    return signal.read(fields, budget);
  } catch (error) {
    if (!isMalformed(error)) throw error;
    bad.push(error.message);
    return undefined;
  }
}

function readSpan({ fields, left_out }: BoundedFields, budget: RequestBudget): SpanDraft {
  const { maxAttributes, maxEvents, maxLinks } = budget.limits;
  const [events, links] = [listAt(fields, 'events'), listAt(fields, 'links')];
  const status = objectAt(fields, 'status');
  const beyond = (name: string, max: number) => Math.max(0, listAt(fields, name).length - max) + (left_out.get(name) ?? 0);
  return {
    ...newSpan(),
    trace_id: idAt(fields, 'traceId'),
    span_id: idAt(fields, 'spanId'),
    parent_span_id: idAt(fields, 'parentSpanId'),
    name: textAt(fields, 'name'),
    kind: enumAt(fields, 'kind', KINDS),
    start_unix_nano: unsignedAt(fields, 'startTimeUnixNano', 64),
    end_unix_nano: unsignedAt(fields, 'endTimeUnixNano', 64),
    attributes: readAttributes(fields, budget, maxAttributes),
    events: events.slice(0, maxEvents).map((item) => readEvent(getObject(item, 'events'), budget)),
    links: links.slice(0, maxLinks).map((item) => readLink(getObject(item, 'links'), budget)),
    status: { code: enumAt(status, 'code', CODES), message: textAt(status, 'message') },
    flags: Number(unsignedAt(fields, 'flags', 32)),
    dropped: {
      attributes: countAt(fields, 'droppedAttributesCount') + beyond('attributes', maxAttributes),
      events: countAt(fields, 'droppedEventsCount') + beyond('events', maxEvents),
      links: countAt(fields, 'droppedLinksCount') + beyond('links', maxLinks),
    },
  };
}

function readLog({ fields, left_out }: BoundedFields, budget: RequestBudget): LogDraft {
  const { maxAttributes } = budget.limits;
  const beyond = Math.max(0, listAt(fields, 'attributes').length - maxAttributes) + (left_out.get('attributes') ?? 0);
  return {
    trace_id: idAt(fields, 'traceId'),
    span_id: idAt(fields, 'spanId'),
    time_unix_nano: unsignedAt(fields, 'timeUnixNano', 64),
    observed_unix_nano: unsignedAt(fields, 'observedTimeUnixNano', 64),
    event_name: textAt(fields, 'eventName'),
    severity_number: enumAt(fields, 'severityNumber', []),
    severity_text: textAt(fields, 'severityText'),
    body: readValue(getField(fields, 'body'), budget, 0),
    attributes: readAttributes(fields, budget, maxAttributes),
    dropped_attributes: countAt(fields, 'droppedAttributesCount') + beyond,
  };
}

const countAt = (fields: JsonFields, name: string): number => Number(unsignedAt(fields, name, 32));

const readEvent = (fields: JsonFields, budget: RequestBudget): EventDraft => ({
  name: textAt(fields, 'name'),
  time_unix_nano: unsignedAt(fields, 'timeUnixNano', 64),
  attributes: readAttributes(fields, budget, budget.limits.maxAttributes),
});

const readLink = (fields: JsonFields, budget: RequestBudget): LinkDraft => ({
  trace_id: idAt(fields, 'traceId'),
  span_id: idAt(fields, 'spanId'),
  attributes: readAttributes(fields, budget, budget.limits.maxAttributes),
});

export function readAttributes(fields: JsonFields, budget: RequestBudget, max: number): Map<string, JsonValue> {
  return new Map(readPairs(listAt(fields, 'attributes').slice(0, max), budget, 0));
}

function readPairs(pairs: readonly JsonValue[], budget: RequestBudget, depth: number): [string, JsonValue][] {
  return pairs.map((item) => {
    const pair = getObject(item, 'a key and value');
    return [textAt(pair, 'key'), readValue(getField(pair, 'value'), budget, depth)];
  });
}

function readValue(value: JsonValue | undefined, budget: RequestBudget, depth: number): JsonValue {
  if (value === undefined || value === null) return null;
  const fields = getObject(value, 'value');
  for (const [name, read] of VALUES) {
    const found = getField(fields, name);
    if (found !== undefined) return read(found, budget, depth);
  }
  return null;
}

type ReadValue = (value: JsonValue, budget: RequestBudget, depth: number) => JsonValue;

const VALUES: readonly (readonly [string, ReadValue])[] = [
  ['stringValue', (value) => (typeof value === 'string' ? value : JSON.stringify(value))],
  ['boolValue', (value) => value === true || value === 'true'],
  ['intValue', (value) => intValue(parseInteger(value, 'intValue'))],
  ['doubleValue', readDouble],
  ['arrayValue', nested((fields, budget, depth) => listAt(fields, 'values').map((item) => readValue(item, budget, depth)))],
  ['kvlistValue', nested((fields, budget, depth) => withoutPrototype(readPairs(listAt(fields, 'values'), budget, depth)))],
  ['bytesValue', (value) => (typeof value === 'string' ? value : null)],
];

/** Not a number and the infinities come as texts. */
function readDouble(value: JsonValue): JsonValue {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number') throw malformed('doubleValue is not a number');
  return doubleValue(number);
}

/** Wraps a reader of nested values. Values that lie too deep are left out, as in protobuf. */
function nested(read: (fields: JsonFields, budget: RequestBudget, depth: number) => JsonValue): ReadValue {
  return (value, budget, depth) => {
    const fields = getObject(value, 'a nested value');
    return depth < budget.limits.maxDepth ? read(fields, budget, depth + 1) : null;
  };
}

function withoutPrototype(pairs: readonly [string, JsonValue][]): JsonValue {
  const entries: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of pairs) entries[key] = value;
  return entries;
}
