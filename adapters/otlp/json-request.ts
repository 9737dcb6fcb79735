import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
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
import { malformed, type RequestBudget } from './request-budget.ts';
import {
  doubleValue,
  type EventDraft,
  intValue,
  type LinkDraft,
  newSpan,
  type ResourceDraft,
  type ScopeDraft,
  type SpanDraft,
} from './span-draft.ts';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((name) => `SPAN_KIND_${name}`);
const CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

/**
 * Reads an ExportTraceServiceRequest in OTLP/JSON: ids in hex, names in lowerCamelCase, unknown names ignored. Span by span,
 * with turns for others between them.
 */
export function* readJson(body: Uint8Array, budget: RequestBudget): Steps<OtlpRequest> {
  const cursor = new JsonCursor(body, budget);
  let resource_spans: ResourceDraft[] = [];
  yield* inObject(cursor, 'the body', budget, {
    *resourceSpans() {
      resource_spans = yield* readItems(cursor, 'resourceSpans', budget, () => readResource(cursor, budget));
    },
  });
  cursor.end();
  return { resource_spans };
}

function* readResource(cursor: JsonCursor, budget: RequestBudget): Steps<ResourceDraft> {
  const draft: ResourceDraft = { resource: new Map(), scope_spans: [] };
  yield* inObject(cursor, 'resourceSpans', budget, {
    *resource() {
      const { fields } = yield* readFields(cursor, 'resource', budget);
      draft.resource = readAttributes(fields, budget, Number.POSITIVE_INFINITY);
    },
    *scopeSpans() {
      draft.scope_spans = yield* readItems(cursor, 'scopeSpans', budget, () => readScope(cursor, budget));
    },
  });
  return draft;
}

function* readScope(cursor: JsonCursor, budget: RequestBudget): Steps<ScopeDraft> {
  const draft: ScopeDraft = { scope: { name: '', version: '' }, spans: [] };
  yield* inObject(cursor, 'scopeSpans', budget, {
    *scope() {
      const { fields } = yield* readFields(cursor, 'scope', budget);
      draft.scope = { name: textAt(fields, 'name'), version: textAt(fields, 'version') };
    },
    *spans() {
      draft.spans = yield* readItems(cursor, 'spans', budget, function* () {
        budget.takeSpan();
        return readSpan(yield* readFields(cursor, 'spans', budget), budget);
      });
    },
  });
  return draft;
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

function readAttributes(fields: JsonFields, budget: RequestBudget, max: number): Map<string, JsonValue> {
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
