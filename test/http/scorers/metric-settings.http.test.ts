import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../harness.ts';
import { type Person, person } from '../people.ts';

let server: TestServer;
let project_id: string;
let log_stream_id: string;
let experiment_id: string;
beforeEach(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: 'Atlas' })).body.id;
  log_stream_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'default' })).body.id;
  experiment_id = randomUUID();
  const facts = { created_by: null, has_user_created_sessions: false, created_at: NOW, updated_at: NOW };
  await server.cradle.projectStore.insertRun({ ...facts, project_id, id: experiment_id, kind: 'experiment', name: 'first' });
});
afterEach(() => server.close());

const NOW = '2026-01-01T00:00:00.000Z';
const scorerSettings = (run_id: string) => `/v2/projects/${project_id}/runs/${run_id}/scorer-settings`;
const ofLogStream = (id = log_stream_id) => `/v2/projects/${project_id}/log_streams/${id}/metric_settings`;
const ofExperiment = (id = experiment_id) => `/v2/projects/${project_id}/experiments/${id}/metric_settings`;
const stored = async (run_id = log_stream_id) => (await server.cradle.metricSettingsStore.find(project_id, run_id))!.scorers;

async function scorer(more: object = {}): Promise<string> {
  const facts = { name: `scorer ${randomUUID()}`, scorer_type: 'code', output_type: 'boolean', ...more };
  const { id } = (await server.request('POST', '/v2/scorers', facts)).body;
  const form = new FormData();
  form.append('file', new Blob(['function scorer() { return true; }']), 'scorer.js');
  await server.request('POST', `/v2/scorers/${id}/version/code`, undefined, { raw: form });
  return id;
}

describe('scorer settings of a run', () => {
  it.each(['POST', 'PATCH'])('by %s are the metric settings by another name', async (method) => {
    const id = await scorer();
    for (const [run_id, other] of [
      [log_stream_id, ofLogStream()],
      [experiment_id, ofExperiment()],
    ] as const) {
      const set = await server.request(method, scorerSettings(run_id), { run_id, scorers: [{ id, scorer_type: 'code' }] });
      expect(set).toMatchObject({ status: 200, body: { run_id, scorers: [{ id }], segment_filters: [] } });
      const { run_id: _run, ...same } = set.body;
      expect((await server.request('GET', other)).body).toEqual(same);
      const more = await server.request(method, scorerSettings(run_id), { segment_filters: [{ sample_rate: 0.5 }] });
      expect(more.body).toEqual({ ...set.body, segment_filters: [expect.objectContaining({ sample_rate: 0.5 })] });
      expect((await server.request('GET', scorerSettings(run_id))).body).toEqual(more.body);
    }
  });

  it('have up to 5,000 values in their filters, in all', async () => {
    const id = await scorer();
    const filters = (values: number) => ({
      filters: [{ operator: 'one_of', value: Array.from({ length: values }, (_, at) => `v${at}`) }],
    });
    const ofMany = [1_000, 1_000, 1_000, 1_000, 999].flatMap((values) => filters(values).filters);
    const segment_filters = [{ sample_rate: 1, filter: { value: 'one more' } }];
    const most = await server.request('PATCH', ofLogStream(), { scorers: [{ id, filters: ofMany }], segment_filters });
    expect(most.status).toBe(200);
    const more = await server.request('PATCH', ofLogStream(), {
      scorers: [{ id, filters: [...ofMany, { value: 'two more' }] }],
      segment_filters,
    });
    expect(more).toMatchObject({ status: 422, body: { code: 'metric_settings_invalid' } });
  });

  it('are those of log streams and experiments, each on its own path', async () => {
    const testing = randomUUID();
    const facts = { created_by: null, has_user_created_sessions: false, created_at: NOW, updated_at: NOW };
    await server.cradle.projectStore.insertRun({ ...facts, project_id, id: testing, kind: 'metrics_testing', name: 't' });
    const absent = [
      ofLogStream(experiment_id),
      ofExperiment(log_stream_id),
      scorerSettings(testing),
      scorerSettings(randomUUID()),
    ];
    for (const path of absent) {
      expect(await server.request('GET', path)).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
      expect((await server.request('PATCH', path, { scorers: [] })).status).toBe(404);
    }
  });
});

describe('a filter by metadata', () => {
  const filter = { name: 'metadata', filter_type: 'map', operator: 'eq', value: 'gold' };

  it.each([{}, { key: null }, { key: '' }])('is refused with its place when its key is %j', async (key) => {
    const id = await scorer();
    const entry = await server.request('PATCH', ofLogStream(), { scorers: [{ id, filters: [{ ...filter, ...key }] }] });
    expect(entry).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'scorers', 0, 'filters', 0, 'key'] }] } });
    const segment = { sample_rate: 0.5, filter: { ...filter, ...key } };
    const refused = await server.request('PATCH', ofLogStream(), { segment_filters: [segment] });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'segment_filters', 0, 'filter', 'key'] }] } });
  });

  it('is taken with its key, and by the name of a node without one', async () => {
    const id = await scorer();
    const filters = [
      { ...filter, key: 'tier' },
      { value: 'answer', case_sensitive: false },
    ];
    const set = await server.request('PATCH', ofLogStream(), { scorers: [{ id, filters }] });
    expect(set).toMatchObject({ status: 200, body: { scorers: [{ filters: [{ key: 'tier' }, { name: 'node_name' }] }] } });
  });
});

describe('an entry', () => {
  it('keeps only what differs from the version it runs', async () => {
    const id = await scorer();
    const shown = (await server.request('PATCH', ofLogStream(), { scorers: [{ id, num_judges: 5 }] })).body.scorers[0];
    expect(shown).toMatchObject({ num_judges: 5, output_type: 'boolean', model_name: null });
    await server.request('PATCH', ofLogStream(), { scorers: [shown] });
    expect((await stored())[0]).toMatchObject({ num_judges: 5, output_type: null });
  });

  it.each([
    [undefined, ['llm', 'chat']],
    ['basic', ['llm', 'chat']],
    ['sessions_normalized', ['session']],
    ['trace_io_only', ['trace']],
    ['retriever_spans', ['retriever']],
  ])('is about what its input %s is about, when nobody says more', async (input_type, scoreable_node_types) => {
    const reply = await server.request('PATCH', ofLogStream(), { scorers: [{ id: await scorer({ input_type }) }] });
    expect(reply.body.scorers[0]).toMatchObject({ scoreable_node_types });
  });

  it('says who enabled it, until somebody else changes it', async () => {
    const [first, second] = [await scorer(), await scorer()];
    const editor = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: editor.id, role: 'editor' }]);
    const enable = (body: object, by: Pick<Person, 'request'> = server) => by.request('PATCH', ofLogStream(), body);
    await enable({ scorers: [{ id: first }] });
    const [before] = await stored();
    expect(before!.enabled_by).toEqual(expect.any(String));
    expect((await enable({ scorers: [{ id: first }, { id: second }] }, editor)).status).toBe(200);
    expect((await stored()).map(({ enabled_by }) => enabled_by)).toEqual([before!.enabled_by, editor.id]);
    await enable({ scorers: [{ id: first, num_judges: 2 }, { id: second }] }, editor);
    expect((await stored()).map(({ enabled_by }) => enabled_by)).toEqual([editor.id, editor.id]);
    expect((await stored())[0]!.enabled_at).toBe(before!.enabled_at);
  });
});
