import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commonField, FIELDS_AS_SENT } from '../../../core/traces/catalogue/record-fields.ts';
import { SPAN_TYPES, type SpanType, STEP_TYPES } from '../../../core/traces/catalogue/span-types.ts';
import { SYSTEM_METRICS } from '../../../core/traces/catalogue/system-metrics.ts';
import { STANDARD_COLUMNS } from '../../../core/traces/columns/column.ts';
import { entry } from '../../contracts/traces/record-stores.ts';
import { dataUrl, PNG } from '../../fixtures/files/media.ts';
import type { TestServer } from '../harness.ts';
import { startWithLogStream } from '../projects/log-stream-fixture.ts';

const GOLDEN = new URL('../../golden/columns.json', import.meta.url);
/** The interface specification's table, in its order; what is ours comes behind. */
const STANDARD = [
  ...['input', 'output', 'name', 'created_at', 'id', 'external_id', 'tags', 'status_code', 'dataset_input', 'dataset_output'],
  ...['session_id', 'project_id', 'run_id', 'updated_at', 'has_children', 'is_complete', 'type', 'trace_id', 'parent_id'],
  ...['step_number', 'agent_type', 'tools', 'model', 'finish_reason', 'temperature', 'tool_call_id', 'control_id', 'agent_name'],
  ...['check_stage', 'applies_to'],
];
/** Columns of sessions that are counted and added up over their traces. */
const FROM_TRACES = [
  'num_traces',
  ...['duration_ns', 'num_input_tokens', 'num_output_tokens', 'num_total_tokens', 'cost'].map((name) => `metrics/${name}`),
];
const SYSTEM = SYSTEM_METRICS.map((name) => `metrics/${name}`);

interface Descriptor {
  readonly id: string;
  readonly is_empty: boolean;
  readonly applicable_types: string[];
  readonly [field: string]: unknown;
}

let server: TestServer;
let project_id: string;
let log_stream_id: string;
beforeEach(async () => {
  ({ server, project_id, log_stream_id } = await startWithLogStream());
});
afterEach(() => server.close());

const post = (path: string, body: object = {}) => server.request('POST', `/v2/projects/${project_id}/${path}`, body);
async function columns(level: string, body: object = {}): Promise<Descriptor[]> {
  const reply = await post(`${level}/available_columns`, { log_stream_id, ...body });
  expect(reply.status).toBe(200);
  return reply.body.columns;
}
const byId = (found: readonly Descriptor[], id: string): Descriptor | undefined => found.find((column) => column.id === id);
const ids = (found: readonly Descriptor[]): string[] => found.map(({ id }) => id);
const filledIds = (found: readonly Descriptor[]): string[] => ids(found.filter(({ is_empty }) => !is_empty));
const log = async (...traces: object[]) =>
  expect((await post('traces', { log_stream_id, traces: traces.map((trace) => ({ type: 'trace', ...trace })) })).status).toBe(
    200,
  );
const enable = (...entries: Parameters<typeof entry>[0][]) =>
  server.cradle.metricSettingsStore.replace(project_id, log_stream_id, () => ({
    scorers: entries.map((facts) => entry(facts)),
    segment_filters: [],
  }));

const SPANS = {
  workflow: { name: 'plan', metrics: { rating: 'high', accepted: true, labels: ['a'] } },
  agent: { agent_type: 'react', user_metadata: { customer: 'acme' } },
  llm: {
    input: [{ role: 'user', content: [{ type: 'image_url', image_url: dataUrl('image/png', PNG) }] }],
    output: 'ho',
    model: 'big',
    temperature: 0.5,
    finish_reason: 'stop',
    prompt_name: 'greeting',
    prompt_version: 3,
    prompt_version_id: '00000000-0000-4000-8000-000000000003',
    tools: [{ type: 'function' }],
    metrics: { num_input_tokens: 3, num_output_tokens: 4, num_total_tokens: 7, time_to_first_token_ns: 1 },
  },
  retriever: { output: ['chunk'], step_number: 2 },
  tool: { tool_call_id: 'call' },
  control: { control_id: 3, agent_name: 'guard', check_stage: 'pre', applies_to: 'llm_call' },
} satisfies Readonly<Record<SpanType, object>>;

/** One record of every type, each with what only its type has. */
const EVERY_TYPE = {
  ...Object.fromEntries(FIELDS_AS_SENT.flatMap((name) => (commonField(name).kind === 'text' ? [[name, 'said']] : []))),
  input: 'question',
  output: 'answer',
  external_id: 'mine',
  tags: ['red'],
  status_code: 200,
  dataset_input: 'row',
  dataset_output: 'wanted',
  dataset_metadata: { row: '7' },
  user_metadata: { customer: 'acme', tier: 'gold' },
  metrics: { duration_ns: 5, rating: 0.5, verdict: 'good' },
  spans: SPAN_TYPES.map((type) => ({ type, ...SPANS[type] })),
};

describe('available columns', () => {
  it('of a run with a record of every type are the reviewed ones; UPDATE_GOLDEN=1 writes them anew', async () => {
    await log(EVERY_TYPE);
    const reply = await post('traces/available_columns', { log_stream_id });
    if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, `${JSON.stringify(reply.body, null, 2)}\n`);
    expect(reply.body).toEqual(JSON.parse(readFileSync(GOLDEN, 'utf8')));
    // Nobody wrote a comment.
    expect(filledIds(reply.body.columns)).toEqual(ids(reply.body.columns).filter((id) => id !== 'num_comments'));
  });

  it('of a run without records are the standard ones and the system metrics, all empty', async () => {
    const found = await columns('traces');
    expect(ids(found)).toEqual([...STANDARD_COLUMNS.map(({ id }) => id), ...SYSTEM, 'num_comments']);
    expect(filledIds(found)).toEqual([]);
  });

  it('say to the letter what the interface specification says of standard columns', async () => {
    const found = await columns('traces');
    const standard = found.filter(({ category }) => category === 'standard').slice(0, STANDARD.length);
    expect(ids(standard)).toEqual(STANDARD);
    expect(ids(standard.filter(({ is_optional }) => is_optional))).toEqual([
      ...['external_id', 'status_code', 'updated_at', 'has_children', 'step_number', 'model', 'finish_reason', 'temperature'],
      ...['tool_call_id', 'control_id', 'agent_name', 'check_stage', 'applies_to'],
    ]);
    expect(ids(standard.filter(({ sortable }) => !sortable))).toEqual(['tags']);
    expect(ids(standard.filter(({ multi_valued }) => multi_valued))).toEqual(['tags']);
    const allowed = Object.fromEntries(
      standard.filter(({ allowed_values }) => allowed_values).map(({ id, allowed_values }) => [id, allowed_values]),
    );
    expect(allowed).toEqual({
      type: STEP_TYPES,
      agent_type: ['supervisor', 'router', 'planner', 'default', 'react', 'judge', 'reflection', 'classifier'],
      check_stage: ['pre', 'post'],
      applies_to: ['llm_call', 'tool_call'],
    });
  });

  it('can all be filtered and sorted by as they say', async () => {
    await log(EVERY_TYPE);
    const values: Record<string, unknown> = { id: randomUUID(), date: '2026-01-01T00:00:00Z', number: 1, boolean: true };
    for (const { id, filter_type, sortable } of await columns('spans')) {
      const filter = { type: filter_type, column_id: id, operator: 'eq', value: values[filter_type as string] ?? 'x' };
      const reply = await post('spans/search', { log_stream_id, filters: [filter] });
      expect([id, reply.status]).toEqual([id, 200]);
      const sorted = await post('spans/search', { log_stream_id, sort: { column_id: id } });
      expect([id, sorted.status]).toEqual([id, sortable ? 200 : 422]);
    }
  });

  it('of spans and sessions are those that apply to them', async () => {
    await log({ ...EVERY_TYPE, user_metadata: { only_on_traces: 'x' } });
    const spans = await columns('spans');
    expect(ids(spans)).not.toContain('user_metadata/only_on_traces');
    expect(ids(spans)).toContain('user_metadata/customer');
    expect(ids(spans).slice(0, STANDARD.length)).toEqual(STANDARD);
    const sessions = await columns('sessions');
    const standard = ['input', 'output', 'name', 'created_at', 'id', 'external_id'];
    expect(ids(sessions)).toEqual([...standard, 'is_implicit', ...FROM_TRACES, 'user_metadata/only_on_traces', 'num_comments']);
    expect(byId(sessions, 'num_traces')).toMatchObject({ filter_type: 'number', is_empty: false, applicable_types: ['session'] });
    expect(byId(sessions, 'is_implicit')).toMatchObject({ filter_type: 'boolean', is_empty: false, sortable: false });
    expect(byId(sessions, 'metrics/cost')).toMatchObject({ data_unit: 'dollars', is_empty: true, sortable: true });
  });

  it('of sessions are filled by what sessions have, not by what their traces are called', async () => {
    const filled = async (body?: object) => filledIds(await columns('sessions', body));
    expect(await filled()).toEqual([]);
    await log({ external_id: 'of the trace', input: 'x', created_at: '2026-01-01T00:00:00Z' });
    expect(await filled()).toEqual(['input', 'created_at', 'id', 'is_implicit', 'num_traces']);
    expect(await filled({ end_time: '2025-01-01T00:00:00Z' })).toEqual([]);
    await post('sessions', { log_stream_id, name: 'chat', external_id: 'mine', user_metadata: { customer: 'acme' } });
    expect(await filled()).toEqual([
      ...['input', 'name', 'created_at', 'id', 'external_id', 'is_implicit', 'num_traces', 'user_metadata/customer'],
    ]);
    await enable({ name: 'mood', scoreable_node_types: ['session'], output_type: 'boolean' });
    expect(byId(await columns('sessions'), 'metrics/mood')).toMatchObject({ is_empty: true, filterable: false, sortable: false });
  });

  it('of many sessions are found among all of them', async () => {
    await log(
      { output: 'only here', created_at: '2020-01-01T00:00:00Z' },
      ...Array.from({ length: 120 }, () => ({ input: 'x' })),
    );
    expect(filledIds(await columns('sessions'))).toEqual(['input', 'output', 'created_at', 'id', 'is_implicit', 'num_traces']);
  });

  it('are empty or not by the time that is asked about', async () => {
    await log({ created_at: '2026-01-01T00:00:00Z', external_id: 'old' }, { created_at: '2026-03-01T00:00:00Z', tags: ['new'] });
    const asked = ['external_id', 'tags', 'id', 'parent_id'];
    const filled = async (body: object) => filledIds(await columns('traces', body)).filter((id) => asked.includes(id));
    expect(await filled({ start_time: null, end_time: null })).toEqual(['id', 'external_id', 'tags']);
    expect(await filled({ end_time: '2026-02-01T00:00:00+01:00' })).toEqual(['id', 'external_id']);
    expect(await filled({ start_time: '2026-02-01T00:00:00Z' })).toEqual(['id', 'tags']);
    expect(await filled({ start_time: '2026-04-01T00:00:00Z' })).toEqual([]);
  });

  it('see what an update brought', async () => {
    const id = randomUUID();
    await log({ id });
    expect(byId(await columns('traces'), 'output')?.is_empty).toBe(true);
    await server.request('PATCH', `/v2/projects/${project_id}/traces/${id}`, { log_stream_id, output: 'x', duration_ns: 3 });
    const found = await columns('traces');
    expect([byId(found, 'output')?.is_empty, byId(found, 'metrics/duration_ns')?.is_empty]).toEqual([false, false]);
  });

  it('of other runs are not among them', async () => {
    await log(EVERY_TYPE);
    const other = (await post('log_streams', { name: 'other' })).body.id;
    const found = await columns('traces', { log_stream_id: other });
    expect(ids(found)).toEqual([...STANDARD_COLUMNS.map(({ id }) => id), ...SYSTEM, 'num_comments']);
  });

  it.each(['traces', 'spans', 'sessions'])('of %s need one run that is there', async (level) => {
    const unknown = await post(`${level}/available_columns`, { log_stream_id: randomUUID() });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await post(`${level}/available_columns`, {})).toMatchObject({ status: 422, body: { code: 'run_ambiguous' } });
    const refused = await post(`${level}/available_columns`, { log_stream_id, start_time: 'yesterday' });
    expect(refused.body.detail[0].loc).toEqual(['body', 'start_time']);
  });
});

describe('columns of metrics', () => {
  it('of enabled scorers say what their output type makes of them, and which scorer they are of', async () => {
    const types = [
      ['boolean', 'boolean', 'boolean', false],
      ['percentage', 'floating_point', 'number', false],
      ['count', 'integer', 'number', false],
      ['discrete', 'integer', 'number', false],
      ['categorical', 'text', 'text', false],
      ['freeform', 'text', 'text', false],
      ['multilabel', 'string_list', 'collection', true],
      ['boolean_multilabel', 'string_list', 'collection', true],
      ['retrieved_chunk_list_boolean', 'string_list', 'collection', true],
      [null, null, null, false],
    ] as const;
    await enable(
      ...types.map(([output_type]) => ({ name: `m ${output_type}`, output_type, scoreable_node_types: ['chat', 'trace'] })),
    );
    const found = await columns('traces');
    for (const [output_type, data_type, filter_type, multi_valued] of types) {
      const column = byId(found, `metrics/m ${output_type}`)!;
      expect(column).toMatchObject({
        category: 'metric',
        label: `m ${output_type}`,
        data_type,
        filter_type,
        multi_valued,
        data_unit: output_type === 'percentage' ? 'percentage' : null,
        applicable_types: ['trace', 'llm'],
        is_empty: true,
        threshold: null,
        label_color: null,
        scorer_config: { name: `m ${output_type}`, output_type, scorer_version: null },
      });
      expect(column.scorer_id).toBe((column.scorer_config as { id: string }).id);
    }
  });

  it('take the type of their values where the scorer does not say, and stand once for score and own metric', async () => {
    const id = randomUUID();
    await log({ id, metrics: { rating: 'own' } });
    await enable({ name: 'rating' }, { name: 'of spans', scoreable_node_types: ['llm'] });
    const value = {
      value: true,
      explanation: null,
      message: null,
      effort: null,
      judged: null,
      scored_at: '2026-01-01T00:00:00.000Z',
    };
    const who = { scorer_id: randomUUID(), scorer_version_id: randomUUID(), metric_name: 'rating' };
    const score = { ...who, ...value, project_id, run_id: log_stream_id, record_id: id, status_type: 'success' as const };
    await server.cradle.scoreStore.insert([score]);
    const found = await columns('traces');
    expect(found.filter((column) => column.id === 'metrics/rating')).toMatchObject([{ data_type: 'boolean', is_empty: false }]);
    const filters = [{ type: 'boolean', column_id: 'metrics/rating', value: true }];
    expect((await post('traces/count', { log_stream_id, filters })).body).toEqual({ total_count: 1 });
    expect(ids(await columns('spans'))).toContain('metrics/of spans');
    expect(ids(await columns('sessions'))).not.toContain('metrics/of spans');
  });

  it('of a metric on trial stand among those of its run', async () => {
    await log(EVERY_TYPE);
    const ask = (body: object) => post('metrics-testing/available_columns', { log_stream_id, ...body });
    const tried = (await ask({ name: 'on trial' })).body.columns as Descriptor[];
    expect(byId(tried, 'metrics/on trial')).toMatchObject({
      data_type: 'boolean',
      filter_type: 'boolean',
      is_empty: true,
      scorer_config: null,
    });
    expect(ids(tried).filter((id) => id !== 'metrics/on trial')).toEqual(ids(await columns('traces')));
    const twin = (
      await ask({ name: 'rating', output_type: 'percentage', cot_enabled: true, metric_key: 'registered_scorer_validation' })
    ).body.columns as Descriptor[];
    expect(twin.filter((column) => column.id === 'metrics/rating')).toMatchObject([{ data_unit: 'percentage', is_empty: false }]);
    for (const body of [{}, { name: '' }, { name: 'x', output_type: 'mood' }, { name: 'x', metric_key: 'other' }])
      expect((await ask(body)).status).toBe(422);
  });
});
