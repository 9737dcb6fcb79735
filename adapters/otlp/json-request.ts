import type { JsonValue } from '../../core/kernel/json.ts';
import type { OtlpRequest } from '../../core/otel/spans/otlp-span.ts';
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
import { scanJson } from './json-scan.ts';
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

/** Deep enough for every value we keep, and far from what exhausts the stack. */
const MAX_JSON_DEPTH = 500;
const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((name) => `SPAN_KIND_${name}`);
const CODES = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`);

/** Reads an ExportTraceServiceRequest in OTLP/JSON: ids in hex, names in lowerCamelCase, unknown names ignored. */
export function readJson(body: Uint8Array, budget: RequestBudget): OtlpRequest {
  const request = getObject(parse(body, budget), 'the body');
  return {
    resource_spans: listAt(request, 'resourceSpans').map((item) => readResource(getObject(item, 'resourceSpans'), budget)),
  };
}

type Reviver = (key: string, value: JsonValue, context: { readonly source: string }) => JsonValue;
/** The library's types do not know the source text that engines hand to a reviver. */
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => JsonValue;

/** Whole numbers beyond what a double holds come out as the text that was sent. */
const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? source : value;

function parse(body: Uint8Array, budget: RequestBudget): JsonValue {
  const scan = scanJson(body);
  if (scan.depth > MAX_JSON_DEPTH) throw malformed(`the body nests deeper than ${MAX_JSON_DEPTH} levels`);
  budget.takeValues(scan.containers);
  try {
    return parseWith(new TextDecoder().decode(body), scan.hasLongNumber ? keepDigits : undefined);
  } catch (error) {
    throw malformed('the body is not JSON', error);
  }
}

function readResource(fields: JsonFields, budget: RequestBudget): ResourceDraft {
  return {
    resource: readAttributes(objectAt(fields, 'resource'), budget, Number.POSITIVE_INFINITY),
    scope_spans: listAt(fields, 'scopeSpans').map((item) => readScope(getObject(item, 'scopeSpans'), budget)),
  };
}

function readScope(fields: JsonFields, budget: RequestBudget): ScopeDraft {
  const scope = objectAt(fields, 'scope');
  return {
    scope: { name: textAt(scope, 'name'), version: textAt(scope, 'version') },
    spans: listAt(fields, 'spans').map((item) => readSpan(getObject(item, 'spans'), budget)),
  };
}

function readSpan(fields: JsonFields, budget: RequestBudget): SpanDraft {
  budget.takeSpan();
  const { maxAttributes, maxEvents, maxLinks } = budget.limits;
  const [events, links] = [listAt(fields, 'events'), listAt(fields, 'links')];
  const status = objectAt(fields, 'status');
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
      attributes: countAt(fields, 'droppedAttributesCount') + Math.max(0, listAt(fields, 'attributes').length - maxAttributes),
      events: countAt(fields, 'droppedEventsCount') + Math.max(0, events.length - maxEvents),
      links: countAt(fields, 'droppedLinksCount') + Math.max(0, links.length - maxLinks),
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

/** What lies too deep is left out, as in protobuf. */
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
