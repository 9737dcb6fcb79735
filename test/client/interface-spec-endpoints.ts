import type { z } from 'zod';
import { PROGRAM, type SpecFixture } from './interface-spec-fixture.ts';
import * as shapes from './interface-spec-shapes.ts';

type Ids = SpecFixture['ids'];
type Value = unknown | ((ids: Ids) => unknown);

/** One field of a body as the specification says it. */
interface Field {
  /** Absent: the field may be absent and null. */
  readonly required?: true;
  /** Each is taken in place of what the plain request has. */
  readonly takes: readonly Value[];
  /** Each is 422, with the place of the field. */
  readonly refuses?: readonly unknown[];
}

export interface Endpoint {
  /** As the specification heads it. */
  readonly name: string;
  /** Ids of the fixture in place of a parameter of the path. */
  readonly at?: Readonly<Record<string, string>>;
  /** Content of a plain request: JSON, or the parts of a form. */
  readonly body?: (ids: Ids) => Readonly<Record<string, unknown>>;
  /** The body is multipart, with this file. */
  readonly file?: string;
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, Field>>;
  readonly reply: z.ZodType;
  /** No credentials are needed. */
  readonly open?: true;
  readonly paginated?: true;
  /** Requests are refused by the state of the fixture, though they are right; for what has to be an own case. */
  readonly own_case?: true;
}

const NO_UUID = ['', 'x', '12345', 7, true, ['x'], {}];
const NO_TEXT = [7, true, ['x'], {}];
const NO_LIST = ['x', 7, true, {}];
const NO_OBJECT = ['x', 7, true, ['x']];
const OUTPUT_TYPES = [
  ...['boolean', 'categorical', 'count', 'discrete', 'freeform', 'percentage', 'multilabel'],
  ...['retrieved_chunk_list_boolean', 'boolean_multilabel'],
];
const STEP_TYPES = ['llm', 'retriever', 'tool', 'workflow', 'agent', 'control', 'trace', 'session'];
const AGGREGATIONS = ['Count', 'Sum', 'Average', 'Min', 'Max', 'P50', 'P90', 'P95', 'P99', 'PercentageFalse', 'PercentageTrue'];

const text: Field = { takes: ['', 'x', 'Ünïcødé 🙂'], refuses: NO_TEXT };
/** A value may be made of ids. */
export const givenValue = (value: Value, ids: Ids): unknown => (typeof value === 'function' ? value(ids) : value);

const span = (facts: object) => [{ type: 'llm', ...facts }];
/** Null in whatever else a span may have (companion A6). */
const NOTHING = Object.fromEntries(
  [
    ...[
      'id',
      'created_at',
      'name',
      'input',
      'output',
      'metrics',
      'dataset_metadata',
      'user_metadata',
      'tags',
      'spans',
      'status_code',
    ],
    ...[
      'external_id',
      'dataset_input',
      'dataset_output',
      'session_id',
      'step_number',
      'agent_type',
      'tools',
      'model',
      'temperature',
    ],
    ...[
      'finish_reason',
      'tool_call_id',
      'control_id',
      'agent_name',
      'check_stage',
      'applies_to',
      'redacted_input',
      'redacted_output',
    ],
    ...['has_children', 'is_complete', 'trace_id', 'parent_id', 'project_id', 'run_id', 'updated_at', 'metric_info', 'events'],
  ].map((name) => [name, null]),
);
const RECORDS: readonly Value[] = [
  [{ type: 'workflow' }],
  [{ type: 'retriever', input: 'q', output: [{ content: 'found' }] }],
  [{ type: 'tool', input: 'q', output: 'a' }],
  [{ type: 'agent', agent_type: 'planner' }],
  [{ type: 'control', check_stage: 'pre', applies_to: 'llm_call' }],
  span({}),
  span({ input: 'q', output: 'a' }),
  span({ input: [{ content: 'q', role: 'user' }], output: { content: 'a', role: 'assistant' } }),
  span({
    created_at: '2026-01-01T00:00:00+02:00',
    name: 'n',
    metrics: { duration_ns: 1, own: 'x' },
    dataset_metadata: { a: 'b' },
  }),
  span({ user_metadata: { a: 'b', n: 1 }, tags: ['a', 'b'], spans: [{ type: 'tool', spans: [{ type: 'llm' }] }] }),
  span(
    Object.fromEntries(
      ['id', 'created_at', 'name', 'input', 'output', 'metrics', 'dataset_metadata', 'user_metadata', 'tags', 'spans'].map(
        (name) => [name, null],
      ),
    ),
  ),
  ...['workflow', 'retriever', 'tool', 'agent', 'control', 'llm'].map((type) => [{ type, ...NOTHING }]),
  span({ input: [{ content: 'q', role: 'user', tool_calls: null, tool_call_id: null, own: 1 }], metrics: { duration_ns: null } }),
  [{ type: 'retriever', output: [{ content: 'found', metadata: null, own: 1 }] }],
  span({ some_new_field: { of: 'a newer client' } }),
];
const NO_RECORDS = [
  ...NO_LIST,
  [],
  ['x'],
  [{}],
  [{ type: 'no_type' }],
  span({ id: 'x' }),
  span({ created_at: 'yesterday' }),
  span({ tags: 'x' }),
  span({ spans: {} }),
  span({ metrics: 'x' }),
  span({ user_metadata: 'x' }),
];

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'POST /v2/login/social',
    body: () => ({ id_token: 'of the fixture', provider: 'okta' }),
    fields: {
      id_token: { required: true, takes: [], refuses: NO_TEXT },
      provider: { required: true, takes: [], refuses: [...NO_TEXT, 'nobody'] },
    },
    reply: shapes.Token,
    open: true,
    own_case: true,
  },
  {
    name: 'POST /v2/verify_email',
    body: () => ({ email: 'new@example.org' }),
    fields: { email: { required: true, takes: ['Other@Example.ORG'], refuses: [...NO_TEXT, '', 'no address'] } },
    reply: shapes.Token,
    open: true,
  },
  {
    name: 'POST /v2/projects/{project_id}/metrics-testing/{run_id}/health-score',
    at: { run_id: 'metrics_run_id' },
    body: ({ scorer_id }) => ({ scorer_id, output_type: 'boolean' }),
    fields: {
      scorer_id: { required: true, takes: [(ids: Ids) => ids.scorer_id!.toUpperCase()], refuses: NO_UUID },
      output_type: { required: true, takes: OUTPUT_TYPES, refuses: [...NO_TEXT, 'text'] },
      scoreable_node_types: { takes: [STEP_TYPES, [], ['trace']], refuses: [...NO_LIST, [7]] },
      mgt_overlay: { takes: [{}, { 'no row': 'true', other: null }], refuses: [...NO_OBJECT, { a: 7 }] },
    },
    reply: shapes.Health,
  },
  {
    name: 'POST /v2/projects/{project_id}/log_streams/{log_stream_id}/trends/widgets',
    body: () => ({
      name: 'w',
      metric: 'duration_ns',
      section_id: 's',
      type: 'table',
      aggregation: 'Sum',
      description: '',
      dataset: [],
    }),
    fields: {
      name: { required: true, takes: ['x', 'x'.repeat(100)], refuses: [...NO_TEXT, '', 'x'.repeat(101)] },
      type: { takes: ['bar_chart', 'line_chart', 'number', 'table'], refuses: [...NO_TEXT, 'pie'] },
      metric: { required: true, takes: ['x', 'metrics/duration_ns'], refuses: [...NO_TEXT, ''] },
      aggregation: { takes: AGGREGATIONS, refuses: [...NO_TEXT, 'sum'] },
      description: { takes: ['', 'x'.repeat(500)], refuses: [...NO_TEXT, 'x'.repeat(501)] },
      dataset: {
        takes: [[], [{}], [{ own: { field: [1] } }], Array(50).fill({})],
        refuses: [...NO_LIST, ['x'], Array(51).fill({})],
      },
      section_id: { required: true, takes: ['any text'], refuses: NO_TEXT },
    },
    reply: shapes.Widget,
  },
  {
    name: 'PATCH /v2/groups/{group_id}',
    body: () => ({ name: 'readers', description: 'of everything' }),
    fields: {
      name: { takes: ['x', 'x'.repeat(128)], refuses: [...NO_TEXT, '', 'x'.repeat(129)] },
      description: text,
    },
    reply: shapes.Group,
  },
  {
    name: 'POST /v2/projects/{project_id}/spans',
    body: ({ log_stream_id, trace_id }) => ({ log_stream_id, trace_id, parent_id: trace_id, spans: [{ type: 'llm' }] }),
    fields: {
      log_stream_id: { takes: [(ids: Ids) => ids.log_stream_id!.toUpperCase()], refuses: NO_UUID },
      parent_id: { required: true, takes: [], refuses: NO_UUID },
      trace_id: { required: true, takes: [], refuses: NO_UUID },
      spans: { required: true, takes: RECORDS, refuses: NO_RECORDS },
    },
    reply: shapes.LoggedSpans,
  },
  {
    name: 'POST /v2/projects/{project_id}/traces',
    body: ({ log_stream_id, session_id }) => ({ log_stream_id, session_id, traces: [{ type: 'trace', spans: [] }] }),
    fields: {
      log_stream_id: { takes: [(ids: Ids) => ids.log_stream_id!.toUpperCase()], refuses: NO_UUID },
      session_id: { takes: [(ids: Ids) => ids.session_id], refuses: NO_UUID },
      traces: {
        required: true,
        takes: [
          [{}],
          [{ type: 'trace' }],
          [{ type: 'trace' }, {}],
          ...RECORDS.map((spans) => [{ type: 'trace', input: 'q', output: 'a', spans }]),
        ],
        refuses: [
          ...NO_LIST,
          [],
          ['x'],
          [{ type: 'session' }],
          ...NO_RECORDS.filter((spans) => JSON.stringify(spans) !== '[]').map((spans) => [{ spans }]),
        ],
      },
    },
    reply: shapes.LoggedTraces,
  },
  {
    name: 'PUT /v2/integrations/cloud_model_hosting',
    body: () => ({
      credential_type: 'key_secret',
      region: 'us-west-2',
      inference_profiles: {},
      token: { cloud_access_key_id: 'a', cloud_secret_access_key: 'b' },
    }),
    fields: {
      credential_type: { takes: ['key_secret'], refuses: [...NO_TEXT, 'other'] },
      region: { takes: ['eu-central-1'], refuses: NO_TEXT },
      inference_profiles: { takes: [{ 'a.model': 'arn:aws:bedrock:x' }], refuses: [...NO_OBJECT, { a: 7 }] },
      token: {
        required: true,
        takes: [{ cloud_access_key_id: 'a', cloud_secret_access_key: 'b', cloud_session_token: 'c', further: 'string' }],
        refuses: [...NO_OBJECT, {}, { cloud_access_key_id: 'a' }],
      },
      multi_modal_config: {
        takes: [{}, { max_files: 3, max_file_size_bytes: null }, { other: 1 }],
        refuses: [...NO_OBJECT, { max_files: 'x' }],
      },
    },
    reply: shapes.Integration,
  },
  {
    name: 'PUT /v2/integrations/gateway',
    body: () => ({ token: 'k', endpoint: 'https://198.41.0.4/v1', use_case: 'evaluation' }),
    fields: {
      token: { required: true, takes: ['another'], refuses: [...NO_TEXT, ''] },
      endpoint: { required: true, takes: ['https://198.41.0.4'], refuses: [...NO_TEXT, '', 'no url'] },
      use_case: { required: true, takes: ['', 'Bewertung für Köln', '評価 🙂'], refuses: NO_TEXT },
    },
    reply: shapes.Integration,
  },
  {
    name: 'POST /v2/datasets/{dataset_id}/versions/query',
    body: () => ({ sort: { name: 'version_index', ascending: true, sort_type: 'column' } }),
    fields: {
      sort: {
        takes: [
          {},
          { ascending: false },
          { name: 'version_index' },
          { sort_type: 'column' },
          { name: null, ascending: null, sort_type: null },
        ],
        refuses: [...NO_OBJECT, { name: 'x' }, { ascending: 'up' }, { sort_type: 'other' }],
      },
    },
    reply: shapes.DatasetVersions,
    paginated: true,
  },
  {
    name: 'POST /v2/datasets/{dataset_id}/content/query',
    body: () => ({ filters: [] }),
    fields: {
      filters: {
        takes: [[{ column_name: 'input', value: 'q' }], [{ column_name: 'input', value: 'x', operator: 'ne' }]],
        refuses: [...NO_LIST, ['x'], [{}], [{ column_name: 'input', value: 'q', operator: 'like' }]],
      },
    },
    reply: shapes.DatasetContent,
    paginated: true,
  },
  { name: 'GET /v2/datasets/{dataset_id}/versions/{version_index}/content', reply: shapes.DatasetContent, paginated: true },
  { name: 'GET /v2/datasets/{dataset_id}/projects', reply: shapes.DatasetProjects, paginated: true },
  { name: 'GET /v2/datasets/{dataset_id}/users', reply: shapes.UserCollaborators, paginated: true },
  { name: 'GET /v2/datasets/{dataset_id}/groups', reply: shapes.GroupCollaborators, paginated: true },
  {
    name: 'PATCH /v2/projects/{project_id}/runs/{run_id}/insights-settings',
    at: { run_id: 'log_stream_id' },
    body: () => ({ insights: { logstream: { enabled: true } } }),
    fields: {
      insights: {
        takes: [{}, { logstream: null }, { logstream: {} }, { logstream: { enabled: null } }, { logstream: { enabled: false } }],
        refuses: [...NO_OBJECT, { logstream: 'x' }, { logstream: { enabled: 'yes' } }],
      },
    },
    reply: shapes.InsightsSettings,
  },
  {
    name: 'PATCH /v2/integrations/{integration_id}/users/{user_id}',
    body: () => ({ role: 'editor' }),
    fields: { role: { takes: ['owner', 'editor', 'annotator', 'viewer'], refuses: [...NO_TEXT, 'admin', ''] } },
    reply: shapes.UserCollaborator,
  },
  {
    name: 'PATCH /v2/projects/{project_id}/log_streams/{log_stream_id}/metric_settings',
    body: ({ scorer_id }) => ({ scorers: [{ id: scorer_id }], segment_filters: [] }),
    fields: {
      scorers: {
        takes: [
          ({ scorer_id }: Ids) => [
            { id: scorer_id, name: 'says good', filters: [], scoreable_node_types: ['llm', 'trace'], score_type: 'bool' },
          ],
          ({ judge_id }: Ids) => [
            { id: judge_id, model_name: 'judge-1', num_judges: 3, cot_enabled: true, multimodal_capabilities: ['vision'] },
          ],
          ({ scorer_id }: Ids) => [
            { id: scorer_id, filters: [{ name: 'node_name', value: 'x', case_sensitive: false }, { value: 'x' }] },
          ],
          ({ scorer_id }: Ids) => [
            {
              id: scorer_id,
              scorer_type: null,
              model_name: null,
              num_judges: null,
              filters: null,
              scoreable_node_types: null,
              cot_enabled: null,
              name: null,
              scorer_version: null,
              multimodal_capabilities: null,
              score_type: null,
            },
          ],
        ],
        refuses: [...NO_LIST, ['x'], [{}], [{ id: 'x' }]],
      },
      segment_filters: {
        takes: [
          [{ sample_rate: 0 }],
          [{ sample_rate: 1, filter: null, llm_scorers: null, multimodal_scorers: null }],
          [
            {
              sample_rate: 0.5,
              filter: { name: 'node_name', value: 'x', case_sensitive: true },
              llm_scorers: true,
              multimodal_scorers: true,
            },
          ],
        ],
        refuses: [
          ...NO_LIST,
          ['x'],
          [{}],
          [{ sample_rate: 2 }],
          [{ sample_rate: -1 }],
          [{ sample_rate: 1, filter: { name: 'metadata', value: 'x' } }],
        ],
      },
    },
    reply: shapes.MetricSettings,
  },
  {
    name: 'POST /v2/scorers/code/validate/log_record',
    file: PROGRAM,
    body: ({ log_stream_id }) => ({ log_stream_id }),
    fields: {
      log_stream_id: { takes: [], refuses: ['x'] },
      experiment_id: { takes: [''], refuses: ['x'] },
      limit: { takes: ['1', '1000', '', 'null'], refuses: ['0', '-1', 'x', '1.5'] },
      starting_token: { takes: ['0', '5', '', 'null'], refuses: ['-1', 'x', '1.5'] },
      filters: {
        takes: ['[]', '', 'null', '[{"type":"text","column_id":"name","operator":"eq","value":"x"}]'],
        refuses: ['{', '[{}]', '7'],
      },
      sort: { takes: ['', 'null', '{"column_id":"created_at"}'], refuses: ['{', '[]', '{"column_id":7}'] },
      required_scorers: { takes: ['[]', '["correctness"]', 'correctness', '', 'null'], refuses: ['[7]'] },
      scoreable_node_types: { takes: ['["llm"]', 'llm', '["session"]', '', 'null'], refuses: ['[7]'] },
    },
    reply: shapes.StartedTrial,
  },
  {
    name: 'POST /v2/scorers/code/validate/dataset',
    file: PROGRAM,
    body: ({ dataset_id }) => ({ dataset_id }),
    fields: {
      dataset_id: { required: true, takes: [], refuses: ['x', ''] },
      dataset_version_index: { takes: ['1', '2', '', 'null'], refuses: ['x', '0', '-1', '1.5'] },
      limit: { takes: ['1', '1000', '', 'null'], refuses: ['0', 'x'] },
      starting_token: { takes: ['0', '5', '', 'null'], refuses: ['-1', 'x'] },
      required_scorers: { takes: ['[]', '["correctness"]', '', 'null'], refuses: ['[7]'] },
      scoreable_node_types: { takes: ['["trace","session"]', 'llm', '', 'null'], refuses: ['[7]'] },
      score_type: { takes: ['bool', 'int', ''] },
    },
    reply: shapes.StartedTrial,
  },
  {
    name: 'POST /v2/projects/{project_id}/traces/available_columns',
    body: ({ log_stream_id }) => ({ log_stream_id }),
    fields: {
      log_stream_id: { takes: [(ids: Ids) => ids.log_stream_id!.toUpperCase()], refuses: NO_UUID },
      start_time: { takes: ['2026-01-01T00:00:00+02:00'], refuses: ['yesterday', 7] },
      end_time: { takes: ['2026-01-01T00:00:00Z'], refuses: ['tomorrow', 7] },
    },
    reply: shapes.Columns,
  },
  { name: 'GET /v2/scorers/{scorer_id}/version', reply: shapes.CodeVersion },
  { name: 'GET /v2/scorers/{scorer_id}/version', at: { scorer_id: 'judge_id' }, reply: shapes.JudgeVersion },
  { name: 'GET /v2/scorers/{scorer_id}/projects', reply: shapes.ScorerProjects, paginated: true },
  { name: 'GET /v2/projects/{project_id}/log_streams', reply: shapes.LogStreams },
  {
    name: 'GET /v2/scorers/{scorer_id}/health-scores',
    query: ({ dataset_id }) => ({ dataset_id: dataset_id! }),
    reply: shapes.HealthScores,
  },
];
