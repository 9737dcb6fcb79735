import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import { runIdFields } from '../../projects/run-ids.ts';
import {
  COMMON_FIELD_NAMES,
  COMMON_FIELDS,
  Count,
  commonField,
  OWN_FIELD_NAMES,
  ownField,
  PAYLOAD_FIELDS,
} from '../catalogue/record-fields.ts';
import { bySpanType, ownFieldsOf, type RecordType, SPAN_TYPES } from '../catalogue/span-types.ts';
import { SessionExternalId } from '../sessions/session-external-id.ts';
import { toPayloads } from './payload.ts';

export const MAX_TRACES = 1000;
export const MAX_SPANS_PER_TRACE = 10_000;

/**
 * Fields that every record may bring. Nothing is required; null stands for absent. These schemas only say yes or no:
 * what is kept is taken from what was sent, so they do not have to copy keys that they do not know.
 */
const common = {
  ...sentOf(COMMON_FIELD_NAMES, commonField),
  spans: z.custom<unknown[]>((value) => Array.isArray(value), 'expected an array').nullish(),
};

/** The schemas of those fields that senders may give. */
function sentOf<F extends string>(names: readonly F[], toEntry: (name: F) => { readonly sent?: z.ZodType }) {
  return Object.fromEntries(names.map((name) => [name, toEntry(name).sent]).filter(([, sent]) => sent)) as Record<F, z.ZodType>;
}

const flat = (type: RecordType) => {
  const forms = toPayloads(type);
  const payloads = PAYLOAD_FIELDS.map((name) => [name, forms[COMMON_FIELDS[name].side]]);
  return z.object({ ...common, ...Object.fromEntries(payloads), ...sentOf(ownFieldsOf(type), ownField) });
};

/**
 * One record of each type without looking into `spans`: our own walk visits those. A flat schema can be compiled,
 * a recursive one cannot, and checks several times faster.
 */
export const FLAT: Readonly<Record<RecordType, z.ZodType>> = {
  trace: flat('trace').extend({ type: z.literal('trace').nullish() }),
  ...bySpanType((type) => flat(type).extend({ type: z.literal(type) })),
};

/** Spans in the document: what `FLAT` says, nested. */
export const Span: z.ZodType = z
  .looseObject({
    ...flat('llm').shape,
    type: z.enum(SPAN_TYPES),
    input: z.unknown().optional(),
    output: z.unknown().optional(),
    ...sentOf(OWN_FIELD_NAMES, ownField),
    get spans(): z.ZodType {
      return z.array(Span).nullish();
    },
  })
  .meta({ id: 'Span' });

/** Where to, who logs, and how; the latter two are kept for the log line, never required. */
export const loggingFields = {
  ...runIdFields,
  logging_method: z.string().nullish(),
  client_version: z.string().nullish(),
  reliable: z.boolean().nullish(),
};

/** The envelope of a batch; its records are checked by the walk, which knows where each of them stands. */
export const NewTraces = z
  .object({
    ...loggingFields,
    session_id: Id.nullish(),
    session_external_id: SessionExternalId,
    is_complete: z.boolean().nullish(),
    traces: z.array(z.unknown()).min(1).max(MAX_TRACES),
  })
  .meta({ id: 'NewTraces' });
export type NewTraces = z.output<typeof NewTraces>;

export const NewSpans = z
  .object({ ...loggingFields, trace_id: Id, parent_id: Id, spans: z.array(z.unknown()).min(1).max(MAX_SPANS_PER_TRACE) })
  .meta({ id: 'NewSpans' });
export type NewSpans = z.output<typeof NewSpans>;

/** The same two with their records spelled out, for the document of the API. */
const Trace = flat('trace')
  .extend({ spans: z.array(Span).nullish() })
  .meta({ id: 'Trace' });
export const DocumentedTraces = NewTraces.extend({ traces: z.array(Trace) }).meta({ id: 'LogTracesRequest' });
export const DocumentedSpans = NewSpans.extend({ spans: z.array(Span) }).meta({ id: 'LogSpansRequest' });

/** Any value: the schema of input and output depends on the record, and is applied when it is known. */
const payload = z.unknown().optional();
const { status_code, tags } = COMMON_FIELDS;
const update = {
  ...loggingFields,
  input: payload,
  output: payload,
  status_code: status_code.sent,
  tags: tags.sent,
  duration_ns: Count,
};

export const TraceUpdate = z.object({ ...update, trace_id: Id.nullish(), is_complete: z.boolean().nullish() });
export type TraceUpdate = z.output<typeof TraceUpdate>;
export const SpanUpdate = z.object({ ...update, span_id: Id.nullish() });
export type SpanUpdate = z.output<typeof SpanUpdate>;

/** The same two with their payloads spelled out, for the document of the API. */
export const DocumentedTraceUpdate = TraceUpdate.extend(toPayloads('trace')).meta({ id: 'TraceUpdate' });
export const DocumentedSpanUpdate = SpanUpdate.extend(toPayloads('workflow')).meta({ id: 'SpanUpdate' });
