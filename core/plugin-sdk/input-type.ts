import { z } from 'zod';

/** Parts of a record that a judge is shown. */
export const InputType = z.enum([
  'basic',
  'llm_spans',
  'retriever_spans',
  'sessions_normalized',
  'sessions_trace_io_only',
  'tool_spans',
  'trace_input_only',
  'trace_io_only',
  'trace_normalized',
  'trace_output_only',
  'agent_spans',
  'workflow_spans',
]);
export type InputType = z.output<typeof InputType>;
