import type { LogRecord } from './record.ts';

type Place = 'id' | 'project_id' | 'run_id' | 'trace_id' | 'session_id' | 'type' | 'created_at' | 'updated_at';

/** What a record holds of which nothing is said but what and where it is. */
export const BLANK_RECORD: Omit<LogRecord, Place> = {
  parent_id: null,
  name: '',
  input: '',
  output: null,
  redacted_input: null,
  redacted_output: null,
  status_code: null,
  step_number: null,
  tags: [],
  external_id: null,
  is_complete: true,
  has_children: false,
  dataset_input: null,
  dataset_output: null,
  user_metadata: {},
  dataset_metadata: {},
  metrics: {},
  attributes: {},
};
