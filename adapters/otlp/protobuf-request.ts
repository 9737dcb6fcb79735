import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AppError } from '../../core/kernel/errors.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import type { OtlpLogRequest } from '../../core/otel/logs/otlp-log.ts';
import type { OtlpRequest } from '../../core/otel/spans/otlp-span.ts';
import {
  bytes,
  type FieldSteps,
  type Fields,
  type Frame,
  fillInSteps,
  fillNested,
  fillNestedInSteps,
  fixed32,
  fixed64,
  int32,
  lengthAhead,
  message,
  skipDelimited,
  text,
  uint32,
} from './protobuf-message.ts';
import { readAnyValue, readAttribute } from './protobuf-value.ts';
import { malformed, type RequestBudget } from './request-budget.ts';
import {
  type EventDraft,
  type LinkDraft,
  type LogDraft,
  newEvent,
  newLink,
  newLog,
  newSpan,
  type ScopeDraft,
  type SpanDraft,
} from './span-draft.ts';

/**
 * Reads an ExportTraceServiceRequest straight into our own shapes, field by field. A generated decoder would first build
 * every message of the body, and a few bytes of body are enough for one.
 */
export function* readProtobufSpans(body: Uint8Array, budget: RequestBudget): Steps<OtlpRequest> {
  const resources = yield* readRequest(body, budget, SPANS);
  const resource_spans = resources.map(({ resource, scopes }) => ({
    resource,
    scope_spans: scopes.map(({ scope, items }) => ({ scope, spans: items })),
  }));
  return { resource_spans };
}

/** Reads an ExportLogsServiceRequest. */
export function* readProtobufLogs(body: Uint8Array, budget: RequestBudget): Steps<OtlpLogRequest> {
  const resources = yield* readRequest(body, budget, LOGS);
  const resource_logs = resources.map(({ resource, scopes }) => ({
    resource,
    scope_logs: scopes.map(({ scope, items }) => ({ scope, logs: items })),
  }));
  return { resource_logs };
}

/** Messages of all signals have the same numbers; they differ in what their scopes hold. */
interface ItemsOfScope<T> {
  readonly scope: ScopeDraft['scope'];
  readonly items: T[];
}

interface ItemsOfResource<T> {
  readonly resource: Map<string, JsonValue>;
  readonly scopes: ItemsOfScope<T>[];
}

function* readRequest<T>(
  body: Uint8Array,
  budget: RequestBudget,
  items: FieldSteps<ItemsOfScope<T>>,
): Steps<ItemsOfResource<T>[]> {
  const resources: ItemsOfResource<T>[] = [];
  const frame: Frame = { reader: new BinaryReader(body), budget, end: body.byteLength };
  try {
    yield* fillInSteps(frame, {}, { 1: toResourceSteps(items) }, resources);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('the body is no protobuf message', error);
  }
  return resources;
}

const hex = (id: Uint8Array): string => Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString('hex');

const EVENT: Fields<EventDraft> = {
  1: fixed64((into, nanos) => {
    into.time_unix_nano = nanos;
  }),
  2: text((into, name) => {
    into.name = name;
  }),
  3: message((frame, into) => {
    if (into.attributes.size < frame.budget.limits.maxAttributes) readAttribute(frame, into.attributes);
    else skipDelimited(frame);
  }),
};

const LINK: Fields<LinkDraft> = {
  1: bytes((into, id) => {
    into.trace_id = hex(id);
  }),
  2: bytes((into, id) => {
    into.span_id = hex(id);
  }),
  4: message((frame, into) => {
    if (into.attributes.size < frame.budget.limits.maxAttributes) readAttribute(frame, into.attributes);
    else skipDelimited(frame);
  }),
};

const STATUS: Fields<SpanDraft['status']> = {
  2: text((into, told) => {
    into.message = told;
  }),
  3: int32((into, code) => {
    into.code = code;
  }),
};

const SPAN: Fields<SpanDraft> = {
  1: bytes((into, id) => {
    into.trace_id = hex(id);
  }),
  2: bytes((into, id) => {
    into.span_id = hex(id);
  }),
  4: bytes((into, id) => {
    into.parent_span_id = hex(id);
  }),
  5: text((into, name) => {
    into.name = name;
  }),
  6: int32((into, kind) => {
    into.kind = kind;
  }),
  7: fixed64((into, nanos) => {
    into.start_unix_nano = nanos;
  }),
  8: fixed64((into, nanos) => {
    into.end_unix_nano = nanos;
  }),
  9: message((frame, into) => {
    if (into.attributes.size >= frame.budget.limits.maxAttributes) drop(frame, into, 'attributes');
    else if (!readAttribute(frame, into.attributes)) into.dropped.attributes += 1;
  }),
  10: uint32((into, count) => {
    into.dropped.attributes += count;
  }),
  11: message((frame, into) => {
    if (into.events.length >= frame.budget.limits.maxEvents || isTooMuch(frame)) return drop(frame, into, 'events');
    into.events.push(nested(frame, EVENT, newEvent()));
  }),
  12: uint32((into, count) => {
    into.dropped.events += count;
  }),
  13: message((frame, into) => {
    if (into.links.length >= frame.budget.limits.maxLinks || isTooMuch(frame)) return drop(frame, into, 'links');
    into.links.push(nested(frame, LINK, newLink()));
  }),
  14: uint32((into, count) => {
    into.dropped.links += count;
  }),
  15: message((frame, into) => fillNested(frame, STATUS, into.status)),
  16: fixed32((into, flags) => {
    into.flags = flags;
  }),
};

const SCOPE: Fields<ScopeDraft['scope']> = {
  1: text((into, name) => {
    into.name = name;
  }),
  2: text((into, version) => {
    into.version = version;
  }),
};

const LOG: Fields<LogDraft> = {
  1: fixed64((into, nanos) => {
    into.time_unix_nano = nanos;
  }),
  2: int32((into, severity) => {
    into.severity_number = severity;
  }),
  3: text((into, severity) => {
    into.severity_text = severity;
  }),
  5: message((frame, into) => {
    if (!isTooMuch(frame)) into.body = readAnyValue(frame);
    else {
      skipDelimited(frame);
      into.dropped_attributes += 1;
    }
  }),
  6: message((frame, into) => {
    const { maxAttributes } = frame.budget.limits;
    if (into.attributes.size < maxAttributes && readAttribute(frame, into.attributes)) return;
    if (into.attributes.size >= maxAttributes) skipDelimited(frame);
    into.dropped_attributes += 1;
  }),
  7: uint32((into, count) => {
    into.dropped_attributes += count;
  }),
  9: bytes((into, id) => {
    into.trace_id = hex(id);
  }),
  10: bytes((into, id) => {
    into.span_id = hex(id);
  }),
  11: fixed64((into, nanos) => {
    into.observed_unix_nano = nanos;
  }),
  12: text((into, name) => {
    into.event_name = name;
  }),
};

const toItemSteps = <T>(fields: Fields<T>, make: () => T): FieldSteps<ItemsOfScope<T>> =>
  // biome-ignore lint/correctness/useYield: an item is one step; whoever reads the list of them yields between them.
  function* (frame, into) {
    frame.budget.takeItem();
    into.items.push(nested(frame, fields, make()));
  };

const SPANS = toItemSteps(SPAN, newSpan);
const LOGS = toItemSteps(LOG, newLog);

const SCOPE_FIELDS: Fields<ItemsOfScope<unknown>> = { 1: message((frame, into) => fillNested(frame, SCOPE, into.scope)) };

const RESOURCE: Fields<Map<string, JsonValue>> = { 1: message((frame, into) => void readAttribute(frame, into)) };

const RESOURCE_FIELDS: Fields<ItemsOfResource<unknown>> = {
  1: message((frame, into) => {
    frame.budget.begin();
    fillNested(frame, RESOURCE, into.resource);
  }),
};

const toScopeSteps = <T>(items: FieldSteps<ItemsOfScope<T>>): FieldSteps<ItemsOfResource<T>> =>
  function* (frame, into) {
    frame.budget.takeValues(VALUES_PER_MESSAGE);
    const scope: ItemsOfScope<T> = { scope: { name: '', version: '' }, items: [] };
    yield* fillNestedInSteps(frame, SCOPE_FIELDS as Fields<ItemsOfScope<T>>, { 2: items }, scope);
    into.scopes.push(scope);
  };

const toResourceSteps = <T>(items: FieldSteps<ItemsOfScope<T>>): FieldSteps<ItemsOfResource<T>[]> => {
  const scopes = toScopeSteps(items);
  return function* (frame, into) {
    frame.budget.takeValues(VALUES_PER_MESSAGE);
    const resource: ItemsOfResource<T> = { resource: new Map(), scopes: [] };
    yield* fillNestedInSteps(frame, RESOURCE_FIELDS as Fields<ItemsOfResource<T>>, { 2: scopes }, resource);
    into.push(resource);
  };
};

/** More than one span may hold. */
const isTooMuch = (frame: Frame): boolean => frame.budget.isSpanFull || lengthAhead(frame) > frame.budget.limits.maxPartBytes;

/** A message of ours takes the room of several values, and two bytes are enough to ask for one. */
const VALUES_PER_MESSAGE = 8;

function nested<T>(frame: Frame, fields: Fields<T>, into: T): T {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  fillNested(frame, fields, into);
  return into;
}

function drop(frame: Frame, into: SpanDraft, what: keyof SpanDraft['dropped']): void {
  skipDelimited(frame);
  into.dropped[what] += 1;
}
