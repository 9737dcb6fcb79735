import { z } from 'zod';

/**
 * Replies as the interface specification prints them, written down from it and not from the code. Every field has to be there.
 * Fields beyond them are the service's own. Null where companion A19 (14) allows it.
 */

const text = z.string();
const int = z.int();
const id = z.guid();
const time = z.iso.datetime().refine((given) => given.endsWith('Z'), 'is not in UTC');
const STEP = ['llm', 'retriever', 'tool', 'workflow', 'agent', 'control', 'trace', 'session'] as const;
const OUTPUT = [
  ...['boolean', 'categorical', 'count', 'discrete', 'freeform', 'percentage', 'multilabel'],
  ...['retrieved_chunk_list_boolean', 'boolean_multilabel'],
];
const INPUT = [
  ...['basic', 'llm_spans', 'retriever_spans', 'sessions_normalized', 'sessions_trace_io_only', 'tool_spans'],
  ...['trace_input_only', 'trace_io_only', 'trace_normalized', 'trace_output_only', 'agent_spans', 'workflow_spans'],
];
const HEALTH = ['macro_f1', 'micro_f1', 'mse', 'mae'];
const ROLE = z.enum(['owner', 'editor', 'annotator', 'viewer']);

const Permission = z.object({ action: text, allowed: z.boolean(), message: text.nullable() });
const permissions = z.array(Permission);
const UserSummary = z.object({ id, email: text, first_name: text.nullable(), last_name: text.nullable() });
const Page = { starting_token: int, limit: int, paginated: z.boolean(), next_starting_token: int.nullable() };

export const Token = z.object({ access_token: text.min(1), token_type: z.literal('bearer') });

export const HTTPValidationError = z.object({
  detail: z
    .array(
      z.object({
        loc: z.array(z.union([text, int])).min(1),
        msg: text.min(1),
        type: text.min(1),
        input: z.unknown().optional(),
        ctx: z.record(text, z.unknown()).optional(),
      }),
    )
    .min(1),
});

export const Group = z.object({
  id,
  name: text,
  size: int,
  created_at: time,
  permissions,
  description: text,
  visibility: z.enum(['public', 'private', 'hidden', 'protected']),
  role: z.enum(['maintainer', 'member', 'pending']).nullable(),
});

export const Widget = z.object({
  id,
  name: text,
  type: z.enum(['bar_chart', 'line_chart', 'number', 'table']),
  metric: text,
  aggregation: z.enum(['Count', 'Sum', 'Average', 'Min', 'Max', 'P50', 'P90', 'P95', 'P99', 'PercentageFalse', 'PercentageTrue']),
  description: text,
  dataset: z.array(z.record(text, z.unknown())),
  section_id: text,
});

export const Integration = z.object({
  id,
  name: text,
  provider: text,
  created_at: time,
  updated_at: time,
  created_by: id,
  permissions,
  is_selected: z.boolean(),
  is_disabled: z.boolean(),
});

const person = { user_id: id, first_name: text.nullable(), last_name: text.nullable(), email: text };
export const UserCollaborator = z.object({ id, role: ROLE, created_at: time, ...person, permissions });
const GroupCollaborator = z.object({ id, role: ROLE, created_at: time, group_id: id, group_name: text, permissions });
export const UserCollaborators = z.object({ ...Page, collaborators: z.array(UserCollaborator).min(1) });
export const GroupCollaborators = z.object({ ...Page, collaborators: z.array(GroupCollaborator).min(1) });

const DatasetVersion = z.object({
  version_index: int,
  name: text.nullable(),
  created_at: time,
  created_by_user: UserSummary.nullable(),
  num_rows: int,
  column_names: z.array(text),
  ...Object.fromEntries(
    ['rows_added', 'rows_removed', 'rows_edited', 'columns_added', 'columns_removed', 'columns_renamed'].map((name) => [
      name,
      int,
    ]),
  ),
});
export const DatasetVersions = z.object({ ...Page, versions: z.array(DatasetVersion).min(1) });

const Row = z.object({
  row_id: id,
  index: int,
  values: z.array(text.nullable()),
  values_dict: z.record(text, z.unknown()),
  metadata: z.object({
    created_in_version: int,
    created_at: time,
    created_by_user: UserSummary.nullable(),
    updated_in_version: int,
    updated_at: time,
    updated_by_user: UserSummary.nullable(),
  }),
});
export const DatasetContent = z.object({
  ...Page,
  column_names: z.array(text),
  warning_message: text.nullable(),
  rows: z.array(Row).min(1),
});

const named = { id, name: text, created_at: time, updated_at: time };
export const DatasetProjects = z.object({
  ...Page,
  projects: z.array(z.object({ ...named, created_by_user: UserSummary })).min(1),
});
export const ScorerProjects = z.object({
  ...Page,
  total_count: int,
  projects: z
    .array(
      z.object({
        ...named,
        permissions,
        bookmark: z.boolean(),
        num_logstreams: int.nullable(),
        num_experiments: int.nullable(),
        created_by_user: UserSummary,
        description: text.nullable(),
        labels: z.array(text),
        log_streams: z.array(z.object({ id, name: text })).min(1),
      }),
    )
    .min(1),
});

export const LogStreams = z
  .array(
    z.object({
      ...named,
      project_id: id,
      created_by: id.nullable(),
      created_by_user: UserSummary.nullable(),
      num_spans: int.nullable(),
      num_traces: int.nullable(),
      has_user_created_sessions: z.boolean(),
    }),
  )
  .min(1);

export const InsightsSettings = z.object({
  run_id: id,
  insights: z.object({ logstream: z.object({ enabled: z.boolean(), start_time: time.nullable() }) }),
});

const secondary = z.record(text, z.number().nullable());
export const Health = z.object({
  health_score_type: z.enum(HEALTH).nullable(),
  value: z.number().nullable(),
  skipped_rows: int,
  secondary,
  total_scored_rows: int,
  total_mgt_rows: int,
  joined_rows: int,
});
export const HealthScores = z.object({
  scores: z
    .array(
      z.object({
        id,
        scorer_version_id: id,
        scorer_version_number: int.min(1),
        dataset_id: id,
        health_score_type: z.enum(HEALTH),
        score: z.number(),
        secondary,
        computed_at: time,
      }),
    )
    .min(1),
});

const where = {
  project_id: id,
  project_name: text,
  records_count: int,
  log_stream_id: id.nullable(),
  experiment_id: id.nullable(),
  metrics_testing_id: id.nullable(),
  session_id: id.nullable(),
};
export const LoggedTraces = z.object({ ...where, traces_count: int, spans_count: int, trace_ids: z.array(id).min(1) });
export const LoggedSpans = z.object({ ...where, trace_id: id, parent_id: id });

const types = z.array(text);
const RegisteredScorer = z.object({
  id,
  name: text,
  score_type: text.nullable(),
  created_at: time,
  updated_at: time,
  created_by: id.nullable(),
  data_type: text.nullable(),
  scoreable_node_types: types.nullable(),
});
const FewShot = z.object({ generation_prompt_and_response: text, evaluating_response: text });
const ChainPollTemplate = z.object({
  template: text,
  metric_system_prompt: text.nullable(),
  metric_description: text.nullable(),
  value_field_name: text,
  explanation_field_name: text,
  metric_few_shot_examples: z.array(FewShot),
  response_schema: z.record(text, z.unknown()).nullable(),
});
const GeneratedScorer = z.object({
  id,
  name: text,
  chain_poll_template: ChainPollTemplate,
  created_by: id.nullable(),
  created_at: time,
  updated_at: time,
  scoreable_node_types: types.nullable(),
  scorer_configuration: z.object({
    model_alias: text,
    num_judges: int,
    output_type: z.enum(OUTPUT),
    scoreable_node_types: types,
    cot_enabled: z.boolean(),
    ground_truth: z.boolean(),
    multimodal_capabilities: z.array(text).nullable(),
  }),
  instructions: text.nullable(),
  user_prompt: text.nullable(),
});
const version = {
  id,
  version: int.min(1),
  scorer_id: id,
  created_at: time,
  updated_at: time,
  finetuned_scorer: z.null(),
  model_name: text.nullable(),
  num_judges: int.nullable(),
  scoreable_node_types: types.nullable(),
  cot_enabled: z.boolean().nullable(),
  output_type: z.enum(OUTPUT).nullable(),
  input_type: z.enum(INPUT).nullable(),
  chain_poll_template: ChainPollTemplate.nullable(),
  allowed_model: z.boolean().nullable(),
};
export const CodeVersion = z.object({ ...version, registered_scorer: RegisteredScorer, generated_scorer: z.null() });
export const JudgeVersion = z.object({ ...version, registered_scorer: z.null(), generated_scorer: GeneratedScorer });

const Filter = z.object({ operator: text, value: z.union([text, z.array(text)]), name: text, case_sensitive: z.boolean() });
const MetricEntry = z.object({
  id,
  name: text,
  model_name: text.nullable(),
  num_judges: int.nullable(),
  filters: z.array(Filter),
  scoreable_node_types: types,
  cot_enabled: z.boolean().nullable(),
  scorer_version: z.object({ id, version: int, scorer_id: id }).nullable(),
  multimodal_capabilities: z.array(text).nullable(),
  score_type: text.nullable(),
  scorer_type: z.enum(['llm', 'code', 'finetuned', 'preset']),
  output_type: z.enum(OUTPUT).nullable(),
  input_type: z.enum(INPUT).nullable(),
  model_type: z.enum(['slm', 'llm', 'code']).nullable(),
});
export const MetricSettings = z.object({
  scorers: z.array(MetricEntry).min(1),
  segment_filters: z.array(
    z.object({
      sample_rate: z.number(),
      filter: Filter.nullable(),
      llm_scorers: z.boolean(),
      multimodal_scorers: z.boolean(),
    }),
  ),
});

export const StartedTrial = z.object({ metrics_experiment_id: id, project_id: id });

export const Columns = z.object({
  columns: z
    .array(
      z.object({
        id: text,
        label: text.nullable(),
        description: text.nullable(),
        category: text,
        group_label: text.nullable(),
        data_type: text.nullable(),
        filter_type: z.enum(['text', 'date', 'collection', 'number', 'id', 'boolean']).nullable(),
        filterable: z.boolean(),
        sortable: z.boolean(),
        multi_valued: z.boolean(),
        is_empty: z.boolean(),
        is_optional: z.boolean(),
        applicable_types: z.array(z.enum(STEP)),
      }),
    )
    .min(1),
});
