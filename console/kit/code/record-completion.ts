import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';

/** Fields of a record as a program is given it, with a few words on each. */
export const RECORD_FIELDS: Readonly<Record<string, string>> = {
  input: 'what was asked: a text, messages or blocks',
  output: 'what came of it; null while there is nothing',
  type: 'trace, session, llm, tool, retriever, agent …',
  name: 'a text',
  metrics: 'durations, tokens, costs and own numbers',
  user_metadata: 'what the application logged beside it',
  tags: 'texts',
  status_code: 'a number; null where none was logged',
  dataset_input: 'of the dataset row',
  dataset_output: 'ground truth of the dataset row',
  dataset_metadata: 'of the dataset row',
  created_at: 'a time, ISO 8601',
  updated_at: 'a time, ISO 8601',
  id: 'a UUID',
  trace_id: 'a UUID',
  parent_id: 'a UUID; null of traces',
  session_id: 'a UUID',
  project_id: 'a UUID',
  run_id: 'a UUID',
  external_id: 'the id that the application gave it',
  redacted_input: 'the input to show in place of the real one',
  redacted_output: 'the output to show in place of the real one',
  is_complete: 'whether more will come',
  has_children: 'whether spans hang under it',
  step_number: 'a number',
  model: 'of model calls',
  temperature: 'of model calls',
  finish_reason: 'of model calls',
  tools: 'of model calls: the tools on offer',
  events: 'of model calls',
  prompt_name: 'of model calls: the prompt template',
  prompt_version: 'of model calls: the number of its version, or a label',
  prompt_version_id: 'of model calls: the id of the version, where it is known',
  tool_call_id: 'of tools',
  agent_type: 'of agents',
  control_id: 'of controls',
  agent_name: 'of controls',
  check_stage: 'of controls',
  applies_to: 'of controls',
  file_ids: 'ids of the files that it names',
  file_modalities: 'image, audio, video, document, text: what these hold',
};

/** Metrics that records may have of themselves. */
export const METRIC_NAMES: Readonly<Record<string, string>> = {
  duration_ns: 'duration of the span',
  num_input_tokens: 'tokens given to the model',
  num_output_tokens: 'tokens of its answer',
  num_total_tokens: 'both together',
  time_to_first_token_ns: 'time to the first token',
};

const CONTEXT_FIELDS: Readonly<Record<string, string>> = {
  ground_truth: 'ground truth, where the scorer uses it',
  required: 'values of the scorers that this one requires, by name',
  spans: 'of a trace or session, parents first',
  tree: 'the same, each with what is below it',
  traces: 'of a session',
};

/** Parameters that are filled by their names in Python, beside the fields of a record. */
const PARAMETERS: Readonly<Record<string, string>> = {
  record: 'the whole record',
  expected: CONTEXT_FIELDS.ground_truth!,
  metadata: RECORD_FIELDS.user_metadata!,
  context: 'ground truth, required values, spans',
  trace: 'the trace with its spans',
  session: 'the session with its traces',
  ...CONTEXT_FIELDS,
};

const MEMBER = String.raw`(?:\?\.|\.|(?:\?\.)?\[["']|\.get\(["'])\w*`;
const OF_METRICS = new RegExp(String.raw`\bmetrics${MEMBER}`);
const OF_CONTEXT = new RegExp(String.raw`\bcontext${MEMBER}`);
const OF_RECORD = new RegExp(String.raw`\b(?:record|row|item|span|trace|session)${MEMBER}`);
const IN_PARAMETERS = /\bdef (?:scorer|scorer_fn|score)\((?:[^()]*[\s,(*])?\w*/;
const IN_PATTERN = /\bscorer(?: = )?\(\{[^{}]*\w*/;

const toOptions = (fields: Readonly<Record<string, string>>): Completion[] =>
  Object.entries(fields).map(([label, detail]) => ({ label, detail, type: 'property' }));
const FIELDS = toOptions(RECORD_FIELDS);
const METRICS = toOptions(METRIC_NAMES);
const CONTEXT = toOptions(CONTEXT_FIELDS);
const NAMED = toOptions({ ...PARAMETERS, ...RECORD_FIELDS });

/** Completes the fields of records where a program names them: as members, as parameters in Python, and in patterns in JavaScript. */
export const completeRecordFields =
  (language: string): CompletionSource =>
  (context: CompletionContext): CompletionResult | null => {
    const from = context.matchBefore(/\w*/)?.from ?? context.pos;
    const options = optionsAt(context, language);
    return options ? { from, options, validFor: /^\w*$/ } : null;
  };

function optionsAt(context: CompletionContext, language: string): readonly Completion[] | undefined {
  if (context.matchBefore(OF_METRICS)) return METRICS;
  if (context.matchBefore(OF_CONTEXT)) return CONTEXT;
  if (context.matchBefore(OF_RECORD)) return FIELDS;
  if (language === 'python') return context.matchBefore(IN_PARAMETERS) ? NAMED : undefined;
  return context.matchBefore(IN_PATTERN) ? FIELDS : undefined;
}
