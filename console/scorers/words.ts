import type { HealthScoreType } from '../../core/health/health-type.ts';
import type { InputType, OutputType } from '../../core/plugin-sdk/index.ts';
import { STEP_ORDER } from '../../core/traces/catalogue/span-types.ts';

/** Types of scorers whose kinds have a view of their own here; others are shown as they are called. */
export const TYPE_WORDS: Readonly<Record<string, string>> = {
  code: 'Code',
  llm: 'Judge',
  finetuned: 'Fine-tuned',
  preset: 'Preset',
};

/** Labels for the words of the interface. The keys are checked against its types. */
export const OUTPUT_WORDS: Readonly<Record<OutputType, string>> = {
  boolean: 'Boolean',
  categorical: 'Category',
  count: 'a count',
  discrete: 'Scale',
  freeform: 'a text',
  percentage: 'Percentage (0–1)',
  multilabel: 'several labels',
  retrieved_chunk_list_boolean: 'Boolean for each chunk',
  boolean_multilabel: 'Boolean for each label',
};

export const INPUT_WORDS: Readonly<Record<InputType, string>> = {
  basic: 'input and output of the record',
  llm_spans: 'model calls',
  retriever_spans: 'retrievals',
  sessions_normalized: 'whole sessions',
  sessions_trace_io_only: 'inputs and outputs of a session',
  tool_spans: 'tool calls',
  trace_input_only: 'input of the trace',
  trace_io_only: 'input and output of the trace',
  trace_normalized: 'whole traces',
  trace_output_only: 'output of the trace',
  agent_spans: 'agents',
  workflow_spans: 'workflows',
};

export const NODE_TYPES = STEP_ORDER;

export const HEALTH_WORDS: Readonly<Record<HealthScoreType, string>> = {
  macro_f1: 'Macro F1',
  micro_f1: 'Micro F1',
  mse: 'Mean squared error',
  mae: 'Mean absolute error',
};

export const wordFor = (words: Readonly<Record<string, string>>, key: string | null): string =>
  key === null ? '–' : (words[key] ?? key);
