import type { JsonObject, JsonValue } from '../kernel/json.ts';
import { toUtc } from '../kernel/timestamp.ts';
import type { OtelMessage } from '../plugin-sdk/otel/message.ts';
import { BLANK_RECORD } from '../traces/blank-record.ts';
import { canonicalRole } from '../traces/message-role.ts';
import type { LogRecord } from '../traces/record.ts';
import type { MappedSpan, SpanOfTrace } from './spans/mapped-span.ts';
import { type StoredOfTrace, type StoredTexts, TEXTS } from './spans/span-outline.ts';
import { storableText } from './storable.ts';

export interface OtelPlace {
  readonly project_id: string;
  readonly run_id: string;
  readonly now: string;
}

/** As long as names and keys may be. */
const MAX_FACT = 1024;

/**
 * A span as it is kept, before its trace is known: as one without session and without children. What it says about its
 * trace is kept beside the attributes that are shown, where nobody looks but who makes the record of the trace.
 */
export function recordOfSpan(span: MappedSpan, { project_id, run_id, now }: OtelPlace, session_id: string | null): LogRecord {
  const { id, trace_id, parent_id, type, name, status_code, tags, external_id, user_metadata, metrics } = span;
  const told_of_trace = toTexts(span.of_trace);
  const hidden = {
    of_trace: toStoredSpan(span.of_trace, session_id),
    ...(Object.keys(told_of_trace).length > 0 && { told_of_trace }),
  };
  return {
    ...blank({ project_id, run_id, now }),
    id,
    trace_id,
    parent_id,
    session_id: trace_id,
    type,
    name,
    created_at: toUtc(span.created_at)!,
    input: toStoredPayload(span.input),
    output: toStoredPayload(span.output),
    status_code,
    tags,
    external_id,
    user_metadata,
    metrics: metrics as JsonObject,
    attributes: { ...span.attributes, ...(hidden as unknown as JsonObject) },
  };
}

/** The record of a trace of which nothing is known yet. */
export const blankTrace = (id: string, external_id: string, place: OtelPlace): LogRecord => ({
  ...blank(place),
  id,
  trace_id: id,
  session_id: id,
  type: 'trace',
  external_id,
  has_children: true,
});

const blank = ({ project_id, run_id, now }: OtelPlace) => ({
  ...BLANK_RECORD,
  project_id,
  run_id,
  created_at: now,
  updated_at: now,
  // Of a span nobody asks: it is as complete as its trace.
  is_complete: false,
});

function toStoredSpan(of_trace: SpanOfTrace, session_id: string | null): StoredOfTrace {
  const { trace_name, user_id, resource, session } = of_trace;
  const fact = (text: string | null) => (text === null ? null : storableText(text, MAX_FACT));
  return {
    trace_external_id: of_trace.trace_external_id,
    parent_external_id: of_trace.parent_external_id,
    parent_is_remote: of_trace.parent_is_remote,
    ended_at: of_trace.ended_at,
    input_is_weak: of_trace.input_is_weak,
    output_is_weak: of_trace.output_is_weak,
    call: of_trace.call,
    ...(of_trace.response_id !== undefined && { response_id: of_trace.response_id }),
    trace_name: fact(trace_name),
    session: fact(session),
    user_id: fact(user_id),
    resource: Object.fromEntries(Object.entries(resource).map(([key, value]) => [key, storableText(value, MAX_FACT)])),
    texts: TEXTS.filter((name) => of_trace[name] !== null),
    has_dataset_metadata: Object.keys(of_trace.dataset_metadata).length > 0,
    session_id,
  };
}

function toTexts({ trace_input, trace_output, dataset_input, dataset_output, dataset_metadata }: SpanOfTrace): StoredTexts {
  return {
    ...(trace_input !== null && { trace_input }),
    ...(trace_output !== null && { trace_output }),
    ...(dataset_input !== null && { dataset_input }),
    ...(dataset_output !== null && { dataset_output }),
    ...(Object.keys(dataset_metadata).length > 0 && { dataset_metadata }),
  };
}

const withCanonicalRole = (message: OtelMessage): OtelMessage => ({ ...message, role: canonicalRole(message.role) });

const isMessage = (value: unknown): value is OtelMessage => typeof value === 'object' && value !== null && 'role' in value;

/** As it is kept: documents and texts as they are, roles of messages by the names of the API. */
export function toStoredPayload(value: MappedSpan['input'] | MappedSpan['output']): JsonValue {
  if (Array.isArray(value)) return value.map((item) => toStoredPayload(item));
  return (isMessage(value) ? withCanonicalRole(value) : value) as JsonValue;
}
