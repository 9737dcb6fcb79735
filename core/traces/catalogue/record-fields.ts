import { z } from 'zod';
import { cleanText, Id } from '../../kernel/text.ts';
import { toUtc } from '../../kernel/timestamp.ts';
import { MODALITIES } from '../../plugin-sdk/modality.ts';
import type { FieldKind, FieldValues } from './field-kinds.ts';
import { type OwnField, STEP_TYPES } from './span-types.ts';
import { SYSTEM_METRICS, systemMetricEntry } from './system-metrics.ts';

/**
 * The catalogue of what a record is: each field is said here once, with the column that it is searched by. The type
 * `LogRecord`, the schema of what is sent, the columns of the API and of the database, exports and the order of all of
 * them are derived from it.
 */

/** How a field is searched and presented. */
export interface ColumnEntry {
  readonly label: string;
  readonly description: string;
  readonly group: string;
  /** Everything is records and sessions. A field that only some types have applies to those. */
  readonly of?: 'everything' | 'records' | 'spans';
  /** Whether records that it applies to may go without it. */
  readonly is_optional?: true;
  readonly allowed_values?: readonly string[];
  /** Whether it is remembered which runs have it, because a record may lack it. */
  readonly is_noted?: true;
}

interface FieldEntry {
  readonly kind: FieldKind;
  /** Schema of the values that senders may give; absent where the service sets it, or where it depends on the type of the record. */
  readonly sent?: z.ZodType;
  readonly column: ColumnEntry | null;
}

interface CommonFieldEntry extends FieldEntry {
  /** Default value, null where it may be missing; absent where it is always said. */
  readonly blank?: unknown;
  /** Of a payload: whose form it has. */
  readonly side?: 'input' | 'output';
  /** Whether it may be so large that lists leave it out. */
  readonly is_large?: true;
  /** Treatment when a record is sent again: the value stays, a flag once raised stays raised, or (usually) it is replaced. */
  readonly when_sent_again?: 'stays' | 'is_raised';
}

interface OwnFieldEntry extends FieldEntry {
  /** Default value in records of its type. */
  readonly absent?: string;
  /** Whether the OpenTelemetry mapping knows a field of the same name. */
  readonly from_otel?: true;
}

const INT32 = 2_147_483_647;
const int32 = z.int().min(-INT32).max(INT32).nullish();
const short = cleanText(0, 1024).nullish();
const Json = z.object({});
const Moment = z
  .string()
  .refine((text) => toUtc(text) !== undefined, { message: 'not an ISO 8601 date-time of the years 1 to 9999' });

/** A whole number that is not negative. */
export const Count = z.int().min(0).nullish();
const Metrics = z.object(
  Object.fromEntries(SYSTEM_METRICS.flatMap((name) => [name, systemMetricEntry(name).also]).map((name) => [name, Count])),
);

const AGENT_TYPES = ['supervisor', 'router', 'planner', 'default', 'react', 'judge', 'reflection', 'classifier'] as const;
const CHECK_STAGES = ['pre', 'post'] as const;
const APPLIES_TO = ['llm_call', 'tool_call'] as const;

/** Fields of every record, each stored in a column of its own, in the order in which they are shown. */
export const COMMON_FIELDS = {
  id: {
    kind: 'id',
    sent: Id.nullish(),
    when_sent_again: 'stays',
    column: { label: 'Id', description: 'Id of the record.', group: 'Ids', of: 'everything', is_noted: true },
  },
  project_id: {
    kind: 'id',
    when_sent_again: 'stays',
    column: { label: 'Project id', description: 'Project the record belongs to.', group: 'Ids', of: 'records' },
  },
  run_id: {
    kind: 'id',
    when_sent_again: 'stays',
    column: {
      label: 'Run id',
      description: 'Log stream, experiment or metrics-testing run the record belongs to.',
      group: 'Ids',
      of: 'records',
    },
  },
  trace_id: {
    kind: 'id',
    when_sent_again: 'stays',
    column: { label: 'Trace id', description: 'Trace the span belongs to.', group: 'Ids', of: 'spans' },
  },
  /** The trace of a top-level span; null on a trace. */
  parent_id: {
    kind: 'id',
    blank: null,
    column: { label: 'Parent id', description: 'Record the span is logged under.', group: 'Ids', of: 'spans' },
  },
  /** Equals the trace's id for a trace outside a session. */
  session_id: {
    kind: 'id',
    sent: Id.nullish(),
    column: { label: 'Session id', description: 'Session the record belongs to.', group: 'Ids', of: 'records' },
  },
  type: {
    kind: 'type',
    column: { label: 'Type', description: 'Type of the step.', group: 'General', of: 'spans', allowed_values: STEP_TYPES },
  },
  name: {
    kind: 'text',
    blank: '',
    sent: short,
    column: {
      label: 'Name',
      description: 'What the sender calls the record.',
      group: 'General',
      of: 'everything',
      is_noted: true,
    },
  },
  created_at: {
    kind: 'timestamp',
    sent: Moment.nullish(),
    column: { label: 'Created at', description: 'When the step began.', group: 'General', of: 'everything' },
  },
  updated_at: {
    kind: 'timestamp',
    column: {
      label: 'Updated at',
      description: 'When the record was last written.',
      group: 'General',
      of: 'records',
      is_optional: true,
    },
  },
  input: {
    kind: 'payload',
    blank: '',
    side: 'input',
    is_large: true,
    column: {
      label: 'Input',
      description: 'What the step was given.',
      group: 'Content',
      of: 'everything',
      is_noted: true,
    },
  },
  output: {
    kind: 'payload',
    blank: null,
    side: 'output',
    is_large: true,
    column: {
      label: 'Output',
      description: 'What the step answered.',
      group: 'Content',
      of: 'everything',
      is_noted: true,
    },
  },
  redacted_input: { kind: 'payload', blank: null, side: 'input', is_large: true, column: null },
  redacted_output: { kind: 'payload', blank: null, side: 'output', is_large: true, column: null },
  status_code: {
    kind: 'integer',
    blank: null,
    sent: int32,
    column: {
      label: 'Status code',
      description: 'Status the step ended with.',
      group: 'General',
      of: 'records',
      is_optional: true,
      is_noted: true,
    },
  },
  step_number: {
    kind: 'integer',
    blank: null,
    sent: z.int().min(0).max(INT32).nullish(),
    column: {
      label: 'Step number',
      description: 'Place of the step in the order of execution.',
      group: 'General',
      of: 'spans',
      is_optional: true,
      is_noted: true,
    },
  },
  tags: {
    kind: 'texts',
    blank: [],
    sent: z.array(cleanText(0, 255)).max(50).nullish(),
    column: { label: 'Tags', description: 'Tags given by the sender.', group: 'General', of: 'records', is_noted: true },
  },
  external_id: {
    kind: 'text',
    blank: null,
    sent: short,
    column: {
      label: 'External id',
      description: 'The id the sender knows the record by.',
      group: 'Ids',
      of: 'everything',
      is_optional: true,
      is_noted: true,
    },
  },
  /** Of a trace: all its spans have arrived. Of a span: whether its trace is complete. */
  is_complete: {
    kind: 'boolean',
    blank: true,
    when_sent_again: 'is_raised',
    column: {
      label: 'Is complete',
      description: 'Whether everything of the trace has arrived.',
      group: 'General',
      of: 'records',
    },
  },
  has_children: {
    kind: 'boolean',
    blank: false,
    when_sent_again: 'is_raised',
    column: {
      label: 'Has children',
      description: 'Whether spans are logged under the record.',
      group: 'General',
      of: 'records',
      is_optional: true,
    },
  },
  dataset_input: {
    kind: 'text',
    blank: null,
    sent: z.string().nullish(),
    is_large: true,
    column: {
      label: 'Dataset input',
      description: 'Input of the dataset row the record belongs to.',
      group: 'Dataset',
      of: 'records',
      is_noted: true,
    },
  },
  dataset_output: {
    kind: 'text',
    blank: null,
    sent: z.string().nullish(),
    is_large: true,
    column: {
      label: 'Dataset output',
      description: 'Reference output of the dataset row the record belongs to.',
      group: 'Dataset',
      of: 'records',
      is_noted: true,
    },
  },
  user_metadata: { kind: 'map', blank: {}, sent: Json.nullish(), is_large: true, column: null },
  dataset_metadata: { kind: 'map', blank: {}, sent: Json.nullish(), is_large: true, column: null },
  /** Numbers of the sender's own; the system metrics are among them. */
  metrics: { kind: 'map', blank: {}, sent: Metrics.nullish(), is_large: true, column: null },
} as const satisfies Readonly<Record<string, CommonFieldEntry>>;

/** Fields that only some types of records have, kept together in `attributes` and shown beside the others. */
export const OWN_FIELDS = {
  agent_type: {
    kind: 'text',
    absent: 'default',
    sent: z.enum(AGENT_TYPES).nullish(),
    from_otel: true,
    column: {
      label: 'Agent type',
      description: 'How the agent works.',
      group: 'Agent',
      allowed_values: AGENT_TYPES,
    },
  },
  tools: {
    kind: 'objects',
    sent: z.array(Json).nullish(),
    from_otel: true,
    column: { label: 'Tools', description: 'Tools offered to the model, as JSON text.', group: 'Model' },
  },
  model: {
    kind: 'text',
    sent: short,
    from_otel: true,
    column: { label: 'Model', description: 'Model that was called.', group: 'Model', is_optional: true },
  },
  temperature: {
    kind: 'number',
    sent: z.number().nullish(),
    from_otel: true,
    column: { label: 'Temperature', description: 'Sampling temperature of the call.', group: 'Model', is_optional: true },
  },
  finish_reason: {
    kind: 'text',
    sent: short,
    from_otel: true,
    column: { label: 'Finish reason', description: 'Why the model stopped.', group: 'Model', is_optional: true },
  },
  prompt_name: {
    kind: 'text',
    sent: short,
    from_otel: true,
    column: { label: 'Prompt', description: 'Prompt template of the call, by its name.', group: 'Prompt', is_optional: true },
  },
  /** Sent as its number, or as one of its labels; kept as a number where the service has the template. */
  prompt_version: {
    kind: 'text',
    sent: z.union([z.int().min(0), cleanText(0, 1024)]).nullish(),
    from_otel: true,
    column: {
      label: 'Prompt version',
      description: 'Version of the prompt template of the call.',
      group: 'Prompt',
      is_optional: true,
    },
  },
  prompt_version_id: {
    kind: 'text',
    sent: Id.nullish(),
    column: {
      label: 'Prompt version id',
      description: 'Version of a prompt template that the call is linked to.',
      group: 'Prompt',
      is_optional: true,
    },
  },
  events: { kind: 'objects', sent: z.array(z.object({ type: z.string() })).nullish(), column: null },
  tool_call_id: {
    kind: 'text',
    sent: short,
    from_otel: true,
    column: {
      label: 'Tool call id',
      description: 'Call of the model that this step carried out.',
      group: 'Tool',
      is_optional: true,
    },
  },
  control_id: {
    kind: 'integer',
    sent: int32,
    column: { label: 'Control id', description: 'Control that was applied.', group: 'Control', is_optional: true },
  },
  agent_name: {
    kind: 'text',
    sent: short,
    column: { label: 'Agent name', description: 'Agent the control was applied to.', group: 'Control', is_optional: true },
  },
  check_stage: {
    kind: 'text',
    sent: z.enum(CHECK_STAGES).nullish(),
    from_otel: true,
    column: {
      label: 'Check stage',
      description: 'Whether the control looked before or after the step.',
      group: 'Control',
      is_optional: true,
      allowed_values: CHECK_STAGES,
    },
  },
  applies_to: {
    kind: 'text',
    sent: z.enum(APPLIES_TO).nullish(),
    column: {
      label: 'Applies to',
      description: 'Kind of step the control was applied to.',
      group: 'Control',
      is_optional: true,
      allowed_values: APPLIES_TO,
    },
  },
  file_ids: {
    kind: 'texts',
    column: { label: 'File ids', description: 'Files that the record names, or that came within it.', group: 'Files' },
  },
  file_modalities: {
    kind: 'texts',
    column: {
      label: 'File modalities',
      description: 'What the files of the record hold.',
      group: 'Files',
      allowed_values: MODALITIES,
    },
  },
} as const satisfies Readonly<Record<OwnField, OwnFieldEntry>>;

type Common = typeof COMMON_FIELDS;
export type CommonField = keyof Common;
type Value<E extends CommonFieldEntry> = FieldValues[E['kind']] | (E extends { readonly blank: null } ? null : never);

/** Names of the fields of every record whose entries are like `E`. */
type FieldsLike<E> = { [F in CommonField]: Common[F] extends E ? F : never }[CommonField];
export type PayloadField = FieldsLike<{ readonly kind: 'payload' }>;
/** Columns whose names are the sender's. */
export type MapField = FieldsLike<{ readonly kind: 'map' }>;
export type LargeField = FieldsLike<{ readonly is_large: true }>;
/** Fields that are always said, and those that stand for themselves when they are not. */
export type PlacedField = Exclude<CommonField, FieldsLike<{ readonly blank: unknown }>>;
/** Fields that sessions have too. */
export type SharedField = FieldsLike<{ readonly column: { readonly of: 'everything' } }>;

/** The values of the fields of every record. */
export type CommonValues = { readonly [F in CommonField]: Value<Common[F]> };

export const COMMON_FIELD_NAMES = Object.keys(COMMON_FIELDS) as readonly CommonField[];
export const OWN_FIELD_NAMES = Object.keys(OWN_FIELDS) as readonly OwnField[];

export const commonField = (name: CommonField): CommonFieldEntry => COMMON_FIELDS[name];
export const ownField = (name: OwnField): OwnFieldEntry => OWN_FIELDS[name];

const fieldsWhere = <F extends CommonField>(is: (entry: CommonFieldEntry) => boolean): readonly F[] =>
  COMMON_FIELD_NAMES.filter((name) => is(COMMON_FIELDS[name])) as F[];

export const PAYLOAD_FIELDS = fieldsWhere<PayloadField>(({ kind }) => kind === 'payload');
export const MAP_FIELDS = fieldsWhere<MapField>(({ kind }) => kind === 'map');
export const LARGE_COMMON_FIELDS = fieldsWhere<LargeField>(({ is_large }) => is_large === true);
/** Fields that are kept as they are sent. */
export const FIELDS_AS_SENT = fieldsWhere(({ sent, blank }) => sent !== undefined && blank !== undefined);

/** Returns the default value of a field; a copy of its own. */
export const blankOf = <F extends CommonField>(name: F): CommonValues[F] =>
  structuredClone(commonField(name).blank) as CommonValues[F];
