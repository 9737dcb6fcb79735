/**
 * The catalogue of record types: everything that is said of one type of span is said here, once. Whatever else depends on
 * the type is derived from it or is a `Record<SpanType, …>`, so the compiler finds what a new type lacks. Data alone: the
 * console bundles this file for the browser.
 */

/** Form of an input or output; `ingest/payload.ts` defines the values that each form takes. */
export type PayloadForm =
  /** A string. */
  | 'text'
  /** A string or content blocks. */
  | 'content'
  /** A string, messages or content blocks. */
  | 'question'
  /** As `question`, or documents. */
  | 'answer'
  /** Messages of a conversation with a model; a string is the user's. */
  | 'messages'
  /** One message; a string is the assistant's. */
  | 'message'
  /** A list of retrieved documents. */
  | 'documents'
  /** Any object, beside what a question may be. */
  | 'anything';

interface RecordTypeEntry {
  /** As people read it. */
  readonly label: string;
  /** In front of a step in the console: at most five letters. */
  readonly badge: string;
  /** Of badges and bars in the console: a hexadecimal colour that white text can be read on. */
  readonly color: string;
  readonly input: PayloadForm;
  readonly output: PayloadForm;
  /** Fields that only some types have, in the order in which they are shown; `record-fields.ts` says what each of them is. */
  readonly fields: readonly string[];
}

interface SpanTypeEntry extends RecordTypeEntry {
  /** Whether it calls a model: it then has metrics of tokens, which those of traces and sessions are the sums of. */
  readonly calls_model: boolean;
  /** Whether it does the work itself: steps that are made of others would count what is within them twice. */
  readonly is_leaf: boolean;
  readonly otel: {
    /** The attribute that names it before the span's own name does. */
    readonly named_by: 'tool_name' | 'agent_name' | null;
    /** Whether messages in events stand in for an input or output that nothing else says. */
    readonly reads_events_for: readonly ('input' | 'output')[];
    /** Whether the error of a failed span is its output, because scorers look for it there. */
    readonly error_is_output: boolean;
    /** Whether a model call may merely wrap another one through spans of this type, and so repeat its tokens. */
    readonly may_be_wrapper: boolean;
  };
}

/** Fields that say which files a record of any type names; few records have them. */
const FILE_FIELDS = ['file_ids', 'file_modalities'] as const;

/** Fields that say which version of a prompt a call was made with. */
export const PROMPT_FIELDS = ['prompt_name', 'prompt_version', 'prompt_version_id'] as const;

const TRACE = {
  label: 'Trace',
  badge: 'trace',
  color: '#64748b',
  input: 'content',
  output: 'content',
  fields: [...FILE_FIELDS],
} as const satisfies RecordTypeEntry;

export const SPAN_CATALOGUE = {
  workflow: {
    label: 'Workflow',
    badge: 'workflow',
    color: '#0e7490',
    input: 'question',
    output: 'answer',
    fields: [...FILE_FIELDS],
    calls_model: false,
    is_leaf: false,
    otel: {
      named_by: null,
      reads_events_for: ['input', 'output'],
      error_is_output: false,
      may_be_wrapper: true,
    },
  },
  agent: {
    label: 'Agent',
    badge: 'agent',
    color: '#7c3aed',
    input: 'question',
    output: 'answer',
    fields: ['agent_type', ...FILE_FIELDS],
    calls_model: false,
    is_leaf: false,
    otel: {
      named_by: 'agent_name',
      reads_events_for: ['input', 'output'],
      error_is_output: false,
      may_be_wrapper: false,
    },
  },
  llm: {
    label: 'Model call',
    badge: 'llm',
    color: '#1d4ed8',
    input: 'messages',
    output: 'message',
    fields: ['tools', 'model', 'temperature', 'finish_reason', ...PROMPT_FIELDS, 'events', ...FILE_FIELDS],
    calls_model: true,
    is_leaf: true,
    otel: {
      named_by: null,
      reads_events_for: [],
      error_is_output: false,
      may_be_wrapper: true,
    },
  },
  retriever: {
    label: 'Retriever',
    badge: 'retriever',
    color: '#a16207',
    input: 'text',
    output: 'documents',
    fields: [...FILE_FIELDS],
    calls_model: false,
    is_leaf: true,
    otel: {
      named_by: null,
      reads_events_for: [],
      error_is_output: false,
      may_be_wrapper: false,
    },
  },
  tool: {
    label: 'Tool call',
    badge: 'tool',
    color: '#be185d',
    input: 'text',
    output: 'text',
    fields: ['tool_call_id', ...FILE_FIELDS],
    calls_model: false,
    is_leaf: true,
    otel: {
      named_by: 'tool_name',
      reads_events_for: ['input', 'output'],
      error_is_output: true,
      may_be_wrapper: false,
    },
  },
  control: {
    label: 'Control',
    badge: 'ctrl',
    color: '#4d7c0f',
    input: 'anything',
    output: 'anything',
    fields: ['control_id', 'agent_name', 'check_stage', 'applies_to', ...FILE_FIELDS],
    calls_model: false,
    is_leaf: false,
    otel: {
      named_by: null,
      reads_events_for: [],
      error_is_output: false,
      may_be_wrapper: false,
    },
  },
} as const satisfies Readonly<Record<string, SpanTypeEntry>>;

export type SpanType = keyof typeof SPAN_CATALOGUE;
export type RecordType = 'trace' | SpanType;
/** Types of steps of an application: sessions stand above traces, which stand above spans. */
export type StepType = RecordType | 'session';

export const SPAN_TYPES = Object.keys(SPAN_CATALOGUE) as readonly SpanType[];
export const RECORD_TYPES: readonly RecordType[] = ['trace', ...SPAN_TYPES];

/** Returns the catalogue entry of a type of span. */
export const spanType = (type: SpanType): SpanTypeEntry => SPAN_CATALOGUE[type];

const RECORD_CATALOGUE = { trace: TRACE, ...SPAN_CATALOGUE };
/** Returns the catalogue entry of a type of record. */
export const recordType = (type: RecordType): RecordTypeEntry => RECORD_CATALOGUE[type];

/** Fields that one type of record or another has and others do not. */
export type OwnField = (typeof RECORD_CATALOGUE)[RecordType]['fields'][number];
export const ownFieldsOf = (type: RecordType): readonly OwnField[] => RECORD_CATALOGUE[type].fields;

const typesWhere = (is: (entry: SpanTypeEntry) => boolean): readonly SpanType[] =>
  SPAN_TYPES.filter((type) => is(SPAN_CATALOGUE[type]));
export const MODEL_CALLS = typesWhere(({ calls_model }) => calls_model);
export const LEAVES = typesWhere(({ is_leaf }) => is_leaf);

/** `known` first and in its order, then whatever else there is: wire orders that were promised outlive new entries. */
export const knownFirst = <T extends string>(known: readonly T[], all: readonly T[]): readonly T[] => [
  ...known.filter((one) => all.includes(one)),
  ...all.filter((one) => !known.includes(one)),
];

/** The orders in which the interface specification lists types. */
export const STEP_TYPES = knownFirst<StepType>(
  ['llm', 'retriever', 'tool', 'workflow', 'agent', 'control'],
  [...SPAN_TYPES, 'trace', 'session'],
);
export const STEP_ORDER = knownFirst<StepType>(
  ['trace', 'retriever', 'agent', 'llm', 'tool', 'control', 'session', 'workflow'],
  ['trace', ...SPAN_TYPES, 'session'],
);

/** Something for every type of span. */
export const bySpanType = <T>(make: (type: SpanType) => T): Readonly<Record<SpanType, T>> =>
  Object.fromEntries(SPAN_TYPES.map((type) => [type, make(type)])) as Readonly<Record<SpanType, T>>;
