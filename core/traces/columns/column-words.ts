interface Words {
  readonly label: string;
  readonly description: string;
  readonly group_label: string;
}

const words = (group_label: string, label: string, description: string): Words => ({ label, description, group_label });

/** How the columns of the standard catalogue are presented. */
export const STANDARD_WORDS: Readonly<Record<string, Words>> = {
  input: words('Content', 'Input', 'What the step was given.'),
  output: words('Content', 'Output', 'What the step answered.'),
  name: words('General', 'Name', 'What the sender calls the record.'),
  created_at: words('General', 'Created at', 'When the step began.'),
  id: words('Ids', 'Id', 'Id of the record.'),
  external_id: words('Ids', 'External id', 'The id the sender knows the record by.'),
  tags: words('General', 'Tags', 'Tags given by the sender.'),
  status_code: words('General', 'Status code', 'Status the step ended with.'),
  dataset_input: words('Dataset', 'Dataset input', 'Input of the dataset row the record belongs to.'),
  dataset_output: words('Dataset', 'Dataset output', 'Reference output of the dataset row the record belongs to.'),
  session_id: words('Ids', 'Session id', 'Session the record belongs to.'),
  project_id: words('Ids', 'Project id', 'Project the record belongs to.'),
  run_id: words('Ids', 'Run id', 'Log stream, experiment or metrics-testing run the record belongs to.'),
  updated_at: words('General', 'Updated at', 'When the record was last written.'),
  has_children: words('General', 'Has children', 'Whether spans are logged under the record.'),
  is_complete: words('General', 'Is complete', 'Whether everything of the trace has arrived.'),
  type: words('General', 'Type', 'Type of the step.'),
  trace_id: words('Ids', 'Trace id', 'Trace the span belongs to.'),
  parent_id: words('Ids', 'Parent id', 'Record the span is logged under.'),
  step_number: words('General', 'Step number', 'Place of the step in the order of execution.'),
  agent_type: words('Agent', 'Agent type', 'How the agent works.'),
  tools: words('Model', 'Tools', 'Tools offered to the model, as JSON text.'),
  model: words('Model', 'Model', 'Model that was called.'),
  finish_reason: words('Model', 'Finish reason', 'Why the model stopped.'),
  temperature: words('Model', 'Temperature', 'Sampling temperature of the call.'),
  tool_call_id: words('Tool', 'Tool call id', 'Call of the model that this step carried out.'),
  control_id: words('Control', 'Control id', 'Control that was applied.'),
  agent_name: words('Control', 'Agent name', 'Agent the control was applied to.'),
  check_stage: words('Control', 'Check stage', 'Whether the control looked before or after the step.'),
  applies_to: words('Control', 'Applies to', 'Kind of step the control was applied to.'),
};
