import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { value } from '../../../testing/index.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { makeDataset, rowsIn } from './dataset-fixture.ts';

const START = Date.UTC(2026, 10, 20, 10);
let server: TestServer;
let project_id: string;
let log_stream_id: string;
let dataset_id: string;
let minutes: number;

beforeEach(async () => {
  minutes = 0;
  server = await startTestServer({ overrides: { clock: value(() => new Date(START + minutes * 60_000)) } });
  project_id = (await server.request('POST', '/v2/projects', { name: 'curated' })).body.id;
  log_stream_id = (await server.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 's' })).body.id;
  dataset_id = (await makeDataset(server, [])).id;
});
afterEach(() => server.close());

const rules = () => `/v2/projects/${project_id}/dataset-rules`;
const create = async (facts: object = {}) => {
  const reply = await server.request('POST', rules(), { log_stream_id, dataset_id, name: 'bad answers', ...facts });
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
};
const trace = (n: number, facts: object = {}) => ({
  ...{ id: randomUUID(), name: 'chat', input: `question ${n}`, output: `answer ${n}`, ...facts },
});
const log = async (traces: object[], facts: object = {}) => {
  const reply = await server.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces, ...facts });
  expect(reply.status).toBe(200);
};
const dislike = (record_id: string, good = false) =>
  server.request('POST', `/v2/projects/${project_id}/feedback`, {
    ...{ log_stream_id, record_id, name: 'helpful', feedback_type: 'like_dislike', value: good },
  });
/** Time goes on, and all rules that are due are worked on. */
const pass = async (by = 5) => {
  minutes += by;
  while (await server.cradle.datasetRuleRunner.run());
};
const rule = async (id: string) => (await server.request('GET', `${rules()}/${id}`)).body;
const sources = async () =>
  (await rowsIn(server, dataset_id)).map(({ values_dict }) => (values_dict.source_record as { record_id: string }).record_id);
const versions = async () => (await server.request('POST', `/v2/datasets/${dataset_id}/versions/query`)).body.versions;
const thumbsDown = { filters: [{ type: 'boolean', column_id: 'feedback/helpful', operator: 'eq', value: false }] };

describe('a rule that fills a dataset from a log stream', () => {
  it('adds what matches, with the rating that came later, as one version a batch and never twice', async () => {
    await log([trace(0)]);
    const { id } = await create({ ...thumbsDown, columns: { question: { field: 'input' }, wrong: { field: 'output' } } });
    const [first, second, third] = [trace(1), trace(2), trace(3)];
    await log([first, second, third]);
    await pass();
    expect(await sources()).toEqual([]);
    await dislike(first.id);
    await dislike(second.id);
    await dislike(third.id, true);
    await pass();
    expect((await sources()).toSorted()).toEqual([first.id, second.id].toSorted());
    const [row] = await rowsIn(server, dataset_id);
    const link = { project_id, run_id: log_stream_id, type: 'trace' };
    expect(row!.values_dict).toMatchObject({ question: expect.stringMatching('question [12]'), source_record: link });
    expect(await versions()).toMatchObject([{ rows_added: 2 }, {}]);
    await dislike(first.id);
    await log([{ ...second, output: 'changed' }]);
    await pass();
    expect(await versions()).toHaveLength(2);
    await dislike(third.id);
    await pass();
    expect(await sources()).toHaveLength(3);
    expect(await rule(id)).toMatchObject({
      ...{ is_enabled: true, paused_reason: null, num_added: 3, num_left_out: 0, last_version_index: 3 },
      ...{ last_run_at: '2026-11-20T10:20:00.000Z', last_added_at: '2026-11-20T10:20:00.000Z' },
    });
  });

  it('does not look before its time, and takes a day no more rows than it may', async () => {
    const { id } = await create({ max_rows_per_day: 3, batch_minutes: 60 });
    await log([trace(1), trace(2)]);
    await pass(59);
    expect(await sources()).toEqual([]);
    await log([trace(3), trace(4)]);
    await pass(1);
    expect(await sources()).toHaveLength(3);
    expect(await rule(id)).toMatchObject({ num_added: 3, num_left_out: 1, added_today: 3 });
    minutes += 24 * 60;
    await log([trace(5)]);
    await pass(0);
    expect(await sources()).toHaveLength(4);
    expect(await rule(id)).toMatchObject({ num_added: 4, num_left_out: 1, added_today: 1 });
  });

  it('waits until a trace is complete, takes spans by their errors, and shares of them by trace', async () => {
    const failed = [{ type: 'number', column_id: 'status_code', operator: 'gte', value: 500 }];
    await create({ name: 'all traces' });
    await create({ name: 'errors', record_type: 'span', filters: failed });
    await create({ name: 'nearly none', record_type: 'span', sample_rate: 1e-9 });
    const span = { type: 'tool', id: randomUUID(), name: 'lookup', input: 'x', output: '', status_code: 503 };
    const open = trace(1, { spans: [span, { ...span, id: randomUUID(), status_code: 200 }] });
    await log([open], { is_complete: false });
    await pass();
    expect(await sources()).toEqual([span.id]);
    await server.request('PATCH', `/v2/projects/${project_id}/traces/${open.id}`, { log_stream_id, is_complete: true });
    await pass();
    expect(await sources()).toEqual([span.id, open.id]);
  });

  it('is worked on by several at once exactly once', async () => {
    const made = [await create(), await create({ name: 'the same again' })];
    await log(Array.from({ length: 30 }, (_, n) => trace(n)));
    minutes += 5;
    await Promise.all(Array.from({ length: 4 }, () => server.cradle.datasetRuleRunner.run()));
    await pass();
    expect(new Set(await sources()).size).toBe(30);
    expect(await sources()).toHaveLength(30);
    const counts = await Promise.all(made.map(async ({ id }) => (await rule(id)).num_added));
    expect(counts.reduce((a, b) => a + b)).toBe(30);
  });

  it('pauses with a reason where its dataset is gone or its right lost, and goes on for who has it', async () => {
    const ada = await person(server);
    await server.request('POST', `/v2/projects/${project_id}/users`, [{ user_id: ada.id, role: 'editor' }]);
    await server.request('POST', `/v2/datasets/${dataset_id}/users`, [{ user_id: ada.id, role: 'editor' }]);
    const made = await ada.request('POST', rules(), { log_stream_id, dataset_id, name: 'of ada' });
    expect(made).toMatchObject({ status: 200, body: { created_by: ada.id, enabled_by: ada.id } });
    await server.request('PATCH', `/v2/datasets/${dataset_id}/users/${ada.id}`, { role: 'viewer' });
    await log([trace(1)]);
    await pass();
    expect(await sources()).toEqual([]);
    const paused = { is_enabled: false, paused_reason: 'access_lost', paused_at: '2026-11-20T10:05:00.000Z' };
    expect(await rule(made.body.id)).toMatchObject({ ...paused, paused_message: expect.stringContaining('viewer') });
    const goOn = (who: Pick<TestServer, 'request'>) => who.request('PATCH', `${rules()}/${made.body.id}`, { is_enabled: true });
    expect((await goOn(ada)).status).toBe(403);
    expect(await goOn(server)).toMatchObject({ status: 200, body: { is_enabled: true, paused_reason: null } });
    await log([trace(2)]);
    await pass();
    expect(await sources()).toHaveLength(1);

    expect((await server.request('DELETE', `/v2/datasets/${dataset_id}`)).status).toBeLessThan(300);
    await log([trace(3)]);
    await pass();
    expect(await rule(made.body.id)).toMatchObject({ is_enabled: false, paused_reason: 'dataset_deleted' });
    expect((await goOn(server)).status).toBe(404);
  });

  it('is changed, paused by hand, listed and deleted, and goes with its log stream', async () => {
    const { id } = await create(thumbsDown);
    const change = (facts: object) => server.request('PATCH', `${rules()}/${id}`, facts);
    expect((await change({ name: 'all', filters: [] })).body).toMatchObject({ name: 'all', filters: [], sample_rate: 1 });
    expect((await change({ is_enabled: false })).body).toMatchObject({ is_enabled: false, paused_reason: 'user' });
    await log([trace(1)]);
    await pass();
    await change({ is_enabled: true });
    await pass();
    expect(await sources()).toEqual([]);
    const listed = async (query: string) => (await server.request('GET', `${rules()}${query}`)).body.rules.length;
    expect([await listed(''), await listed(`?dataset_id=${dataset_id}`), await listed(`?dataset_id=${randomUUID()}`)]).toEqual([
      1, 1, 0,
    ]);
    expect(await listed(`?log_stream_id=${log_stream_id}`)).toBe(1);
    expect((await server.request('DELETE', `${rules()}/${id}`)).status).toBe(200);
    expect((await server.request('DELETE', `${rules()}/${id}`)).body.code).toBe('dataset_rule_not_found');
    await create();
    await server.request('DELETE', `/v2/projects/${project_id}/log_streams/${log_stream_id}`);
    expect(await listed('')).toBe(0);
  });

  it('is refused where its filter is none or the run has as many as there may be', async () => {
    const ask = (facts: object) => server.request('POST', rules(), { log_stream_id, dataset_id, name: 'r', ...facts });
    const unknown = [{ type: 'text', column_id: 'no_column', operator: 'eq', value: 'x' }];
    expect((await ask({ filters: unknown })).body.code).toBe('filter_invalid');
    expect((await ask({ sample_rate: 0 })).status).toBe(422);
    expect((await ask({ max_rows_per_day: 10_001 })).status).toBe(422);
    expect((await ask({ dataset_id: randomUUID() })).body.code).toBe('dataset_not_found');
    for (let n = 0; n < 20; n += 1) await create();
    expect(await ask({})).toMatchObject({ status: 409, body: { code: 'dataset_rules_full' } });
  });

  it('is tried before, with what it would have taken', async () => {
    await create();
    const [old, fresh] = [trace(1), trace(2)];
    await log([old]);
    await pass();
    await log([fresh, trace(3, { created_at: '2026-11-01T00:00:00Z' })]);
    const preview = async (facts: object) =>
      (await server.request('POST', `${rules()}/preview`, { log_stream_id, ...facts })).body;
    expect(await preview({})).toMatchObject({ num_matching: 2, num_taken: 2, is_more: false, since: '2026-11-13T10:05:00.000Z' });
    expect(await preview({ dataset_id })).toMatchObject({ num_matching: 2, num_taken: 1, record_ids: [fresh.id] });
    expect(await preview({ sample_rate: 1e-9 })).toMatchObject({ num_matching: 2, num_taken: 0, record_ids: [] });
    expect(await preview(thumbsDown)).toMatchObject({ num_matching: 0 });
  });
});
