import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { newVersion } from './health-fixture.ts';

let server: TestServer;
let at: string;
let log_stream_id: string;
let scorer_id: string;
let candidate: string;
let trial: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const IN_USE = 'function scorer(record) { return record.input.length > 3; }';
const CANDIDATE =
  'function scorer(record) { if (record.input === "fail") throw new Error("no"); return record.input.length > 5; }';

/** A log stream whose scorer takes more than three letters for long; a candidate wants more than five, and fails on "fail". */
beforeEach(async () => {
  const project = await server.request('POST', '/v2/projects', { name: randomUUID() });
  at = `/v2/projects/${project.body.id}`;
  log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'live' })).body.id;
  const scorer = { name: randomUUID(), scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'boolean' };
  scorer_id = (await server.request('POST', '/v2/scorers', scorer)).body.id;
  await newVersion(server, scorer_id, IN_USE);
  candidate = await newVersion(server, scorer_id, CANDIDATE);
  const settings = `${at}/log_streams/${log_stream_id}/metric_settings`;
  expect((await server.request('PATCH', settings, { scorers: [{ id: scorer_id, name: 'is_long' }] })).status).toBe(200);
  trial = `${at}/runs/${log_stream_id}/shadow-trials/${scorer_id}`;
});

const log = async (...inputs: string[]): Promise<string[]> => {
  const traces = inputs.map((input) => ({ id: randomUUID(), input }));
  expect((await server.request('POST', `${at}/traces`, { log_stream_id, traces })).status).toBe(200);
  return traces.map(({ id }) => id);
};
const start = (sample_rate: number) => server.request('PUT', trial, { scorer_version_id: candidate, sample_rate });
const toReport = async (records: number) =>
  eventually(async () => {
    const { body } = await server.request('GET', trial);
    expect(body.report.records).toBe(records);
    return body.report;
  });

describe('a version on trial', () => {
  it('scores live traffic beside the one in use, and the report says how far it drifts', async () => {
    expect(await start(1)).toMatchObject({ status: 200, body: { scorer_version_id: candidate, sample_rate: 1 } });
    const [, medium] = await log('ab', 'abcd', 'abcdefgh', 'fail');
    expect(await toReport(4)).toEqual({
      records: 4,
      candidate_failed: 1,
      default_failed: 0,
      compared: 3,
      agreement: expect.closeTo(2 / 3),
      distance: { type: 'macro_f1', value: expect.closeTo(2 / 3), secondary: expect.objectContaining({ n: 3 }) },
      confusion_table: {
        labels: ['false', 'true'],
        counts: [
          [1, 0],
          [1, 1],
        ],
        other_rows: 0,
      },
      candidate_mean: expect.closeTo(1 / 3),
      default_mean: expect.closeTo(2 / 3),
      differing: [{ record_id: medium, record_type: 'trace', trace_id: medium, candidate: false, default: true }],
      is_partial: false,
    });
  });

  it('is not seen where the scorer is: not on records, not in searches, not in columns', async () => {
    await start(1);
    const [id] = await log('abcd');
    await toReport(1);
    const record = (await server.request('GET', `${at}/traces/${id}`)).body;
    expect(record.metric_info).toMatchObject({ is_long: { status_type: 'success', value: true } });
    expect(Object.keys(record.metric_info)).toEqual(['is_long']);
    const filters = [{ type: 'boolean', column_id: 'metrics/is_long', value: false }];
    expect((await server.request('POST', `${at}/traces/search`, { log_stream_id, filters })).body.records).toEqual([]);
    const kept = await server.cradle.scoreStore.list(at.split('/').at(-1)!, log_stream_id, [id!]);
    expect(kept.map(({ scorer_version_id }) => scorer_version_id)).not.toContain(candidate);
  });

  it('scores sessions once they are complete, and the report says which record is a session, a span or a trace', async () => {
    const facts = { scorer_type: 'code', scoreable_node_types: ['session', 'tool'], output_type: 'boolean' };
    scorer_id = (await server.request('POST', '/v2/scorers', { ...facts, name: randomUUID() })).body.id;
    await newVersion(server, scorer_id);
    candidate = await newVersion(server, scorer_id, 'function scorer() { return false; }');
    const settings = `${at}/log_streams/${log_stream_id}/metric_settings`;
    await server.request('PATCH', settings, { scorers: [{ id: scorer_id, name: 'is_asked' }] });
    trial = `${at}/runs/${log_stream_id}/shadow-trials/${scorer_id}`;
    expect(await start(1)).toMatchObject({ status: 200 });
    const [session_id, trace_id, span_id] = [randomUUID(), randomUUID(), randomUUID()];
    const spans = [{ type: 'tool', id: span_id, name: 'look', input: 'x', output: 'y' }];
    const traces = [{ id: trace_id, input: 'one', spans }, { input: 'two' }];
    await server.request('POST', `${at}/traces`, { log_stream_id, session_id, traces });
    const { differing } = await eventually(async () => {
      await server.cradle.idleSessions.release(-1);
      const { report } = (await server.request('GET', trial)).body;
      expect(report).toMatchObject({ records: 2, compared: 2, agreement: 0 });
      return report;
    });
    const said = { candidate: false, default: true };
    expect(differing).toHaveLength(2);
    expect(differing).toContainEqual({ record_id: session_id, record_type: 'session', trace_id: null, ...said });
    expect(differing).toContainEqual({ record_id: span_id, record_type: 'span', trace_id, ...said });
    const { body } = await server.request('GET', `${at}/sessions/${session_id}`);
    expect(body.metric_info).toMatchObject({ is_asked: { status_type: 'success', value: true } });
    const filters = [{ type: 'id', column_id: 'id', operator: 'eq', value: session_id }];
    expect((await server.request('POST', `${at}/sessions/delete`, { log_stream_id, filters })).status).toBe(200);
    expect((await server.request('GET', trial)).body.report).toMatchObject({ records: 0 });
  });

  it('takes a share of the traces, always the same ones', async () => {
    await start(0.3);
    const ids = await log(...Array.from({ length: 200 }, (_, number) => `input ${number}`));
    const toInfo = async (id: string) => (await server.request('GET', `${at}/traces/${id}`)).body.metric_info.is_long;
    await eventually(async () => expect(await toInfo(ids.at(-1)!)).toMatchObject({ status_type: 'success' }));
    const { records } = await eventually(async () => {
      const { report } = (await server.request('GET', trial)).body;
      expect(report.records).toBeGreaterThan(30);
      return report;
    });
    expect(records).toBeLessThan(90);
  });

  it('ends, and what the candidate said is gone', async () => {
    await start(1);
    await log('abcd');
    await toReport(1);
    expect((await server.request('DELETE', trial)).status).toBe(200);
    for (const method of ['GET', 'DELETE'])
      expect(await server.request(method, trial)).toMatchObject({ status: 404, body: { code: 'shadow_trial_not_found' } });
    await start(1);
    expect((await server.request('GET', trial)).body.report).toMatchObject({ records: 0, agreement: null, distance: null });
  });

  it('is refused where its scorer is not enabled, or the version is another scorer’s', async () => {
    const other = (await server.request('POST', '/v2/scorers', { name: randomUUID(), scorer_type: 'code' })).body.id;
    const version_id = await newVersion(server, other);
    const body = { scorer_version_id: version_id, sample_rate: 1 };
    expect(await server.request('PUT', trial, body)).toMatchObject({ status: 422, body: { code: 'shadow_trial_invalid' } });
    const elsewhere = `${at}/runs/${log_stream_id}/shadow-trials/${other}`;
    expect(await server.request('PUT', elsewhere, body)).toMatchObject({ status: 409, body: { code: 'scorer_not_in_use' } });
    expect(await start(0)).toMatchObject({ status: 422 });
    const nowhere = `${at}/runs/${randomUUID()}/shadow-trials/${scorer_id}`;
    expect(await server.request('PUT', nowhere, { scorer_version_id: candidate, sample_rate: 1 })).toMatchObject({ status: 404 });
  });
});
