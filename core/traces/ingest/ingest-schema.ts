import { z } from 'zod';
import { cleanText, Id } from '../../kernel/text.ts';
import { toUtc } from '../../kernel/timestamp.ts';
import { bySpanType, type RecordType, SPAN_TYPES } from '../catalogue/span-types.ts';
import { SYSTEM_METRICS, systemMetricEntry } from '../catalogue/system-metrics.ts';
import { runIdFields } from '../run-ids.ts';
import { SessionExternalId } from '../sessions/session-external-id.ts';
import { toPayloads } from './payload.ts';

export const MAX_TRACES = 1000;
export const MAX_SPANS_PER_TRACE = 10_000;
const INT32 = 2_147_483_647;

const count = z.int().min(0).nullish();
const Metrics = z.object(
  Object.fromEntries(
    [...SYSTEM_METRICS, ...SYSTEM_METRICS.map((name) => systemMetricEntry(name).also)].map((name) => [name, count]),
  ),
);
const Json = z.object({});
const Moment = z
  .string()
  .refine((text) => toUtc(text) !== undefined, { message: 'not an ISO 8601 date-time of the years 1 to 9999' });

const tags = z.array(cleanText(0, 255)).max(50).nullish();
const status_code = z.int().min(-INT32).max(INT32).nullish();

/**
 * Fields that every record may bring. Nothing is required; null stands for absent. These schemas only say yes or no:
 * what is kept is taken from what was sent, so they do not have to copy keys that they do not know.
 */
const common = {
  id: Id.nullish(),
  name: cleanText(0, 1024).nullish(),
  created_at: Moment.nullish(),
  user_metadata: Json.nullish(),
  tags,
  status_code,
  metrics: Metrics.nullish(),
  external_id: cleanText(0, 1024).nullish(),
  dataset_input: z.string().nullish(),
  dataset_output: z.string().nullish(),
  dataset_metadata: Json.nullish(),
  session_id: Id.nullish(),
  step_number: z.int().min(0).max(INT32).nullish(),
  spans: z.custom<unknown[]>((value) => Array.isArray(value), 'expected an array').nullish(),
};

const own = {
  trace: {},
  workflow: {},
  agent: {
    agent_type: z.enum(['default', 'planner', 'react', 'reflection', 'router', 'classifier', 'supervisor', 'judge']).nullish(),
  },
  llm: {
    tools: z.array(Json).nullish(),
    model: cleanText(0, 1024).nullish(),
    temperature: z.number().nullish(),
    finish_reason: cleanText(0, 1024).nullish(),
    events: z.array(z.object({ type: z.string() })).nullish(),
  },
  retriever: {},
  tool: { tool_call_id: cleanText(0, 1024).nullish() },
  control: {
    control_id: z.int().min(-INT32).max(INT32).nullish(),
    agent_name: cleanText(0, 1024).nullish(),
    check_stage: z.enum(['pre', 'post']).nullish(),
    applies_to: z.enum(['llm_call', 'tool_call']).nullish(),
  },
} as const;

const flat = (type: RecordType) => {
  const { input, output } = toPayloads(type);
  return z.object({ ...common, input, output, redacted_input: input, redacted_output: output, ...own[type] });
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
    ...own.agent,
    ...own.tool,
    ...own.control,
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

/** What input and output have to be depends on the record; they are checked when it is known. */
const payload = z.unknown().optional();
const update = { ...loggingFields, input: payload, output: payload, status_code, tags, duration_ns: count };

export const TraceUpdate = z.object({ ...update, trace_id: Id.nullish(), is_complete: z.boolean().nullish() });
export type TraceUpdate = z.output<typeof TraceUpdate>;
export const SpanUpdate = z.object({ ...update, span_id: Id.nullish() });
export type SpanUpdate = z.output<typeof SpanUpdate>;

/** The same two with their payloads spelled out, for the document of the API. */
export const DocumentedTraceUpdate = TraceUpdate.extend(toPayloads('trace')).meta({ id: 'TraceUpdate' });
export const DocumentedSpanUpdate = SpanUpdate.extend(toPayloads('workflow')).meta({ id: 'SpanUpdate' });
