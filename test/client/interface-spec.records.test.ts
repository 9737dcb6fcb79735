import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STEP_TYPES } from '../../core/traces/catalogue/span-types.ts';
import { specRequests, statements } from './interface-spec-statements.ts';

const { ask, at, id, ok, refused } = specRequests();

statements('POST /v2/projects/{project_id}/log_streams/{log_stream_id}/trends/widgets', [
  [
    'only name, metric and section are needed',
    async () => {
      const made = await ok('POST', widgets(), { name: 'w', metric: 'm', section_id: 's' });
      expect(made).toMatchObject({ type: 'bar_chart', aggregation: 'Average', description: '', dataset: [] });
    },
  ],
  [
    'the dataset is kept as it was sent',
    async () => {
      const dataset = [{ filters: [{ name: 'node_name', value: 'x', case_sensitive: true }], own: { a: [null, 1.5, 'x'] } }, {}];
      expect((await ok('POST', widgets(), { name: 'w', metric: 'm', section_id: 's', dataset })).dataset).toEqual(dataset);
    },
  ],
]);

statements('POST /v2/projects/{project_id}/traces', [
  [
    'answers the ids of the traces in their order, and counts traces, spans and both',
    async () => {
      const ids = [randomUUID(), randomUUID()];
      const nested = [{ type: 'workflow', spans: [{ type: 'llm' }, { type: 'tool', spans: [{ type: 'retriever' }] }] }];
      const traces = [{ id: ids[0], spans: nested }, { id: ids[1] }];
      const logged = await ok('POST', `${at()}/traces`, { log_stream_id: id('log_stream_id'), traces });
      expect(logged).toMatchObject({ trace_ids: ids, traces_count: 2, spans_count: 4, records_count: 6, project_name: 'Atlas' });
      expect(logged).toMatchObject({ project_id: id('project_id'), log_stream_id: id('log_stream_id'), experiment_id: null });
    },
  ],
  [
    'what was logged is given back with every field',
    async () => {
      const facts = {
        user_metadata: { a: 'b' },
        dataset_metadata: { c: 'd' },
        tags: ['x'],
        metrics: { duration_ns: 5 },
        external_id: 'e-1',
      };
      const messages = [{ content: 'q', role: 'user' }];
      const span = {
        ...facts,
        id: randomUUID(),
        type: 'llm',
        name: 's',
        input: messages,
        output: { content: 'a', role: 'assistant' },
      };
      const trace = {
        ...facts,
        id: randomUUID(),
        type: 'trace',
        name: 't',
        input: 'q',
        output: 'a',
        created_at: '2026-01-01T02:00:00+02:00',
        spans: [span],
      };
      await ok('POST', `${at()}/traces`, { log_stream_id: id('log_stream_id'), traces: [trace] });
      const found = await ok('GET', `${at()}/traces/${trace.id}`);
      expect(found).toMatchObject({ ...facts, id: trace.id, name: 't', input: 'q', output: 'a' });
      expect(found.created_at).toMatch(/^2026-01-01T00:00:00(\.0+)?Z$/);
      const { output, input, ...others } = span;
      expect(found.spans).toMatchObject([
        { ...others, input: [expect.objectContaining(input[0]!)], output: expect.objectContaining(output) },
      ]);
    },
  ],
  [
    'belong to exactly one run, and null stands for the others',
    async () => {
      const log_stream_id = id('log_stream_id');
      const traces = [{}];
      await ok('POST', `${at()}/traces`, {
        log_stream_id,
        experiment_id: null,
        metrics_testing_id: null,
        session_id: null,
        traces,
      });
      expect((await ask('POST', `${at()}/traces`, { traces })).status).toBe(422);
      expect((await ask('POST', `${at()}/traces`, { log_stream_id, experiment_id: log_stream_id, traces })).status).toBe(422);
    },
  ],
  [
    'go to the session that is named',
    async () => {
      const [log_stream_id, session_id] = [id('log_stream_id'), id('session_id')];
      expect(await ok('POST', `${at()}/traces`, { log_stream_id, session_id, traces: [{}] })).toMatchObject({ session_id });
    },
  ],
  [
    'a mistake deep in a batch is told with its place, and nothing of the batch is kept',
    async () => {
      const good = randomUUID();
      const traces = [{ id: good }, { spans: [{ type: 'llm' }, { type: 'tool', spans: [{ type: 'nothing' }] }] }];
      const place = ['body', 'traces', 1, 'spans', 1, 'spans', 0, 'type'];
      await refused('POST', `${at()}/traces`, { log_stream_id: id('log_stream_id'), traces }, place);
      expect((await ask('GET', `${at()}/traces/${good}`)).status).toBe(404);
    },
  ],
]);

statements('POST /v2/projects/{project_id}/spans', [
  [
    'go below the trace, or below a span of it, and are counted with what is nested in them',
    async () => {
      const [log_stream_id, trace_id, parent_id] = [id('log_stream_id'), id('trace_id'), randomUUID()];
      const below = { log_stream_id, trace_id, parent_id: trace_id, spans: [{ id: parent_id, type: 'agent' }] };
      expect(await ok('POST', `${at()}/spans`, below)).toMatchObject({ records_count: 1, trace_id, parent_id: trace_id });
      const spans = [{ type: 'tool', spans: [{ type: 'llm' }] }];
      expect(await ok('POST', `${at()}/spans`, { log_stream_id, trace_id, parent_id, spans })).toMatchObject({
        records_count: 2,
        parent_id,
      });
      const found = await ok('GET', `${at()}/spans/${parent_id}`);
      expect(found.spans).toMatchObject([{ type: 'tool', spans: [{ type: 'llm' }] }]);
    },
  ],
  [
    'are not taken for a trace that is not there',
    async () => {
      const [trace_id, spans] = [randomUUID(), [{ type: 'llm' }]];
      const reply = await ask('POST', `${at()}/spans`, {
        log_stream_id: id('log_stream_id'),
        trace_id,
        parent_id: trace_id,
        spans,
      });
      expect(reply).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
    },
  ],
]);

statements('PATCH /v2/projects/{project_id}/runs/{run_id}/insights-settings', [
  [
    'makes the settings, and updates them; the time is that of the first enabling',
    async () => {
      const set = (insights: unknown) => ok('PATCH', `${at()}/runs/${id('log_stream_id')}/insights-settings`, { insights });
      expect((await set({ logstream: { enabled: false } })).insights.logstream).toEqual({ enabled: false, start_time: null });
      const first = await set({ logstream: { enabled: true } });
      expect(first).toMatchObject({ run_id: id('log_stream_id'), insights: { logstream: { enabled: true } } });
      const again = await set({ logstream: { enabled: true, start_time: '2020-01-01T00:00:00Z' } });
      expect(again.insights.logstream.start_time).toBe(first.insights.logstream.start_time);
      expect((await set({})).insights).toEqual(again.insights);
    },
  ],
]);

statements('PATCH /v2/projects/{project_id}/log_streams/{log_stream_id}/metric_settings', [
  [
    'an entry shows what the scorer is, and a filter without an operator is for equality',
    async () => {
      const entry = {
        id: id('scorer_id'),
        filters: [{ name: 'node_name', value: 'x', case_sensitive: false }],
        scoreable_node_types: ['llm'],
      };
      const { scorers } = await ok('PATCH', settings(), { scorers: [entry] });
      const filter = { name: 'node_name', operator: 'eq', value: 'x', case_sensitive: false };
      expect(scorers).toMatchObject([
        { id: id('scorer_id'), scorer_type: 'code', model_type: 'code', output_type: 'boolean', filters: [filter] },
      ]);
    },
  ],
  [
    'takes back what it shows, whole versions included',
    async () => {
      const version = await ok('GET', `/v2/scorers/${id('judge_id')}/version`);
      const shown = await ok('PATCH', settings(), { scorers: [{ id: id('judge_id'), scorer_version: version }] });
      expect(shown.scorers).toMatchObject([{ scorer_type: 'llm', scorer_version: { id: version.id, version: 1 } }]);
      expect(await ok('PATCH', settings(), shown)).toEqual(shown);
    },
  ],
  [
    'leaves a list alone that is absent or null',
    async () => {
      const segment_filters = [{ sample_rate: 0.25, filter: { name: 'node_name', value: 'x' }, llm_scorers: true }];
      const before = await ok('PATCH', settings(), { scorers: [{ id: id('scorer_id') }], segment_filters });
      expect(before.segment_filters).toMatchObject([
        { sample_rate: 0.25, llm_scorers: true, multimodal_scorers: false, filter: { operator: 'eq' } },
      ]);
      for (const body of [{}, { scorers: null }, { segment_filters: null }, { scorers: null, segment_filters: null }])
        expect(await ok('PATCH', settings(), body)).toEqual(before);
    },
  ],
  [
    'a filter by metadata has a key',
    () =>
      refused(
        'PATCH',
        settings(),
        { scorers: [{ id: id('scorer_id'), filters: [{ name: 'metadata', operator: 'eq', value: 'x' }] }] },
        ['body', 'scorers', 0, 'filters', 0, 'key'],
      ),
  ],
]);

const SPANS = ['retriever', 'agent', 'llm', 'tool', 'control', 'workflow'];
const RECORDS = ['trace', ...SPANS];
const ALL = [...RECORDS, 'session'];
/** The table of the specification: type of data, what it applies to, and what else is said of it. */
const COLUMNS: readonly (readonly [ids: string, data_type: string, applies_to: readonly string[], more?: object])[] = [
  ['input output name', 'text', ALL],
  ['created_at', 'timestamp', ALL],
  ['id', 'uuid', ALL],
  ['external_id', 'text', ALL, { is_optional: true }],
  ['tags', 'string_list', RECORDS, { multi_valued: true, sortable: false }],
  ['status_code', 'integer', RECORDS, { is_optional: true }],
  ['dataset_input dataset_output', 'text', RECORDS],
  ['session_id project_id run_id', 'uuid', RECORDS],
  ['updated_at', 'timestamp', RECORDS, { is_optional: true }],
  ['has_children', 'boolean', RECORDS, { is_optional: true }],
  ['is_complete', 'boolean', RECORDS],
  ['type', 'text', SPANS, { allowed_values: [...SPANS, 'trace', 'session'] }],
  ['trace_id parent_id', 'uuid', SPANS],
  ['step_number', 'integer', SPANS, { is_optional: true }],
  [
    'agent_type',
    'text',
    ['agent'],
    { allowed_values: ['supervisor', 'router', 'planner', 'default', 'react', 'judge', 'reflection', 'classifier'] },
  ],
  ['tools', 'text', ['llm']],
  ['model finish_reason', 'text', ['llm'], { is_optional: true }],
  ['temperature', 'floating_point', ['llm'], { is_optional: true }],
  ['tool_call_id', 'text', ['tool'], { is_optional: true }],
  ['control_id', 'integer', ['control'], { is_optional: true }],
  ['agent_name', 'text', ['control'], { is_optional: true }],
  ['check_stage', 'text', ['control'], { is_optional: true, allowed_values: ['pre', 'post'] }],
];
/** Types of spans beyond those of the specification. */
const OURS: readonly string[] = STEP_TYPES.filter((type) => ![...RECORDS, 'session'].includes(type));
const FILTER_TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  timestamp: 'date',
  string_list: 'collection',
  integer: 'number',
  uuid: 'id',
  boolean: 'boolean',
  floating_point: 'number',
};

describe('POST /v2/projects/{project_id}/traces/available_columns', () => {
  it.each(
    COLUMNS.flatMap(([ids, data_type, applies_to, more = {}]) =>
      ids.split(' ').map((name) => [name, data_type, applies_to, more] as [string, string, readonly string[], object]),
    ),
  )('has the column %s of type %s for %j', async (name, data_type, applies_to, more) => {
    const { columns } = await ok('POST', `${at()}/traces/available_columns`, { log_stream_id: id('log_stream_id') });
    const found = columns.find((column: { id: string }) => column.id === name);
    const { allowed_values, ...flags } = more as { allowed_values?: readonly string[] };
    expect(found).toMatchObject({
      category: 'standard',
      data_type,
      filter_type: FILTER_TYPES[data_type],
      filterable: true,
      ...flags,
    });
    const specified = (values: readonly string[]) => values.filter((value) => !OURS.includes(value)).sort();
    expect(specified(found.applicable_types)).toEqual([...applies_to].sort());
    expect(specified(found.allowed_values ?? [])).toEqual([...(allowed_values ?? [])].sort());
    if (!('sortable' in more)) expect(found).toMatchObject({ sortable: true, multi_valued: false });
  });
});

statements('GET /v2/projects/{project_id}/log_streams', [
  [
    'lists all of them, however many, in one array',
    async () => {
      const { id: project_id } = await ok('POST', '/v2/projects', { name: randomUUID() });
      const path = `/v2/projects/${project_id}/log_streams`;
      for (let at = 0; at < 101; at += 1) await ok('POST', path, { name: `stream ${at}` });
      expect(await ok('GET', path)).toHaveLength(101);
    },
  ],
  [
    'counts records only where it is asked to',
    async () => {
      const [plain] = await ok('GET', `${at()}/log_streams`);
      expect(plain).toMatchObject({ num_spans: null, num_traces: null, has_user_created_sessions: true });
      const [counted] = await ok('GET', `${at()}/log_streams?include_counts=true`);
      expect(counted.num_traces).toBeGreaterThan(0);
      expect(counted.num_spans).toBeGreaterThan(0);
    },
  ],
]);

const widgets = (): string => `${at()}/log_streams/${id('log_stream_id')}/trends/widgets`;
const settings = (): string => `${at()}/log_streams/${id('log_stream_id')}/metric_settings`;
