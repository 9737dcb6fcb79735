import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AppError } from '../../core/kernel/errors.ts';
import type { Steps } from '../../core/kernel/slices.ts';
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
import { readAttribute } from './protobuf-value.ts';
import { malformed, type RequestBudget } from './request-budget.ts';
import {
  type EventDraft,
  type LinkDraft,
  newEvent,
  newLink,
  newResource,
  newScope,
  newSpan,
  type ResourceDraft,
  type ScopeDraft,
  type SpanDraft,
} from './span-draft.ts';

/**
 * Reads an ExportTraceServiceRequest straight into our own shapes, field by field. A generated decoder would first build
 * every message of the body, and a few bytes of body are enough for one.
 */
export function* readProtobuf(body: Uint8Array, budget: RequestBudget): Steps<OtlpRequest> {
  const request: { resource_spans: ResourceDraft[] } = { resource_spans: [] };
  const frame: Frame = { reader: new BinaryReader(body), budget, end: body.byteLength };
  try {
    yield* fillInSteps(frame, {}, REQUEST, request);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('the body is no protobuf message', error);
  }
  return request;
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

// biome-ignore lint/correctness/useYield: a span is one step; whoever reads the list of them yields between them.
const SPANS: FieldSteps<ScopeDraft> = function* (frame, into) {
  frame.budget.takeSpan();
  into.spans.push(nested(frame, SPAN, newSpan()));
};

const SCOPE_SPANS: Fields<ScopeDraft> = { 1: message((frame, into) => fillNested(frame, SCOPE, into.scope)) };

const RESOURCE: Fields<ResourceDraft['resource']> = { 1: message((frame, into) => void readAttribute(frame, into)) };

const RESOURCE_SPANS: Fields<ResourceDraft> = {
  1: message((frame, into) => {
    frame.budget.begin();
    fillNested(frame, RESOURCE, into.resource);
  }),
};

const SCOPES: FieldSteps<ResourceDraft> = function* (frame, into) {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  const scope = newScope();
  yield* fillNestedInSteps(frame, SCOPE_SPANS, { 2: SPANS }, scope);
  into.scope_spans.push(scope);
};

const REQUEST: Readonly<Record<number, FieldSteps<{ resource_spans: ResourceDraft[] }>>> = {
  *1(frame, into) {
    frame.budget.takeValues(VALUES_PER_MESSAGE);
    const resource = newResource();
    yield* fillNestedInSteps(frame, RESOURCE_SPANS, { 2: SCOPES }, resource);
    into.resource_spans.push(resource);
  },
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
