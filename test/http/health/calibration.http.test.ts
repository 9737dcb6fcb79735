import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../setup/timing.ts';
import { startTestServer, type TestServer } from '../harness.ts';
import { person } from '../people.ts';
import { HealthFixture } from './health-fixture.ts';

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const path = (fixture: HealthFixture, run_id: string): string =>
  `/v2/projects/${fixture.project_id}/metrics-testing/${run_id}/calibration`;
const ask = (fixture: HealthFixture, run_id: string, body: object = {}) =>
  server.request('POST', path(fixture, run_id), { scorer_id: fixture.scorer_id, ...body });

const ROWS = Array.from({ length: 40 }, (_, at) => ({ input: `q${at}`, mgt: at % 4 === 0 ? 'no' : 'yes' }));

describe('the calibration of a scorer', () => {
  it('holds its scores against the ground truth of the dataset that the run went through', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { output_type: 'percentage' });
    const run_id = await fixture.run(
      1,
      ROWS.map(({ mgt }) => (mgt === 'yes' ? 0.9 : 0.8)),
    );
    const { status, body } = await ask(fixture, run_id, { precision: 0.9 });
    expect(status).toBe(200);
    expect(body).toMatchObject({ rows: 40, positive_rows: 30, skipped_rows: 0, scorer_version_id: fixture.version_ids[1] });
    expect(
      body.reliability.map(({ mean_score, rate }: { mean_score: number; rate: { value: number } }) => [mean_score, rate.value]),
    ).toEqual([
      [expect.closeTo(0.8), 0],
      [expect.closeTo(0.9), 1],
    ]);
    expect(body.isotonic.points).toEqual([
      { score: 0.8, rate: 0 },
      { score: 0.9, rate: 1 },
    ]);
    expect(body.isotonic.fit.brier).toBe(0);
    expect(body.scores.brier).toBeGreaterThan(0.16);
    expect(body.chosen_threshold).toMatchObject({ threshold: 0.9, precision: { value: 1, n: 30 }, recall: { value: 1 } });
  });

  it('is applied by a version that is made of it: scored, enabled, replayed and restored with its mapping', async () => {
    const source = 'function scorer(record) { return Number(record.output) || 0; }';
    const fixture = await HealthFixture.open(server, ROWS, { output_type: 'percentage', source });
    const rated = ROWS.map(({ mgt }, at) => (mgt === 'yes' ? 0.9 : at % 8 === 0 ? 0.9 : 0.8));
    const run_id = await fixture.run(1, rated);
    const make = async (body: object = {}) =>
      server.request('POST', `${path(fixture, run_id).replace('calibration', 'calibrated-version')}`, {
        ...{ scorer_id: fixture.scorer_id, method: 'isotonic' },
        ...body,
      });
    const made = (await make()).body;
    const points = (await ask(fixture, run_id)).body.isotonic.points;
    expect(made).toMatchObject({
      ...{ version: 2, output_type: 'percentage' },
      calibration: { mapping: { method: 'isotonic', points }, of_version_id: fixture.version_ids[1], run_id, rows: 40 },
    });
    expect(made.calibration.mapped_ece).toBeLessThan(made.calibration.ece);
    expect((await make({ method: 'platt' })).body).toMatchObject({ version: 3, calibration: { mapping: { method: 'platt' } } });

    const at = `/v2/projects/${fixture.project_id}`;
    const log_stream_id = (await server.request('POST', `${at}/log_streams`, { name: 'live' })).body.id;
    const scorers = [{ id: fixture.scorer_id, name: 'quality', scorer_version: { id: made.id } }];
    expect((await server.request('PATCH', `${at}/log_streams/${log_stream_id}/metric_settings`, { scorers })).status).toBe(200);
    const traces = ['0.9', '0.85', '0.1'].map((output) => ({ input: 'x', output }));
    const { trace_ids } = (await server.request('POST', `${at}/traces`, { log_stream_id, traces })).body;
    const rate = 30 / 35;
    await eventually(async () => {
      const values = [];
      for (const id of trace_ids)
        values.push((await server.request('GET', `${at}/traces/${id}`)).body.metric_info?.quality?.value);
      expect(values).toEqual([expect.closeTo(rate), expect.closeTo(rate / 2), 0]);
    });
    const scored = `${at}/runs/${log_stream_id}/records/${trace_ids[0]}/scores/${made.id}/replay`;
    expect((await server.request('POST', scored, {})).body).toMatchObject({ is_equal: true });
    const restored = await server.request('POST', `/v2/scorers/${fixture.scorer_id}/versions/2/restore`);
    expect(restored.body).toMatchObject({ version: 4, calibration: { mapping: { points } } });
  });

  it('makes no version without rows enough, of scores that are mapped already, or for who does not own the scorer', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { output_type: 'percentage' });
    const made = (run: string, asked: Pick<TestServer, 'request'> = server) =>
      asked.request('POST', path(fixture, run).replace('calibration', 'calibrated-version'), {
        ...{ scorer_id: fixture.scorer_id, method: 'platt' },
      });
    const codeOf = async (reply: ReturnType<typeof made>) => [(await reply).status, (await reply).body.code];
    expect(await codeOf(made(await fixture.run(1, [0.5])))).toEqual([422, 'calibration_rows_too_few']);
    const rated = ROWS.map(({ mgt }) => (mgt === 'yes' ? 0.9 : 0.8));
    const run_id = await fixture.run(1, rated);
    const ada = await person(server);
    await server.request('POST', `/v2/projects/${fixture.project_id}/users`, [{ user_id: ada.id, role: 'owner' }]);
    await server.request('POST', `/v2/datasets/${fixture.dataset_id}/users`, [{ user_id: ada.id, role: 'viewer' }]);
    expect((await made(run_id, ada)).status).toBe(403);
    (fixture.version_ids as string[]).push((await made(run_id)).body.id);
    expect(await codeOf(made(await fixture.run(2, rated)))).toEqual([422, 'version_calibrated']);
  });

  it('reads ground truth as one class of several, takes the overlay, and counts what cannot be read', async () => {
    const rows = [
      { input: 'a', mgt: 'refund' },
      { input: 'b', mgt: 'Order' },
      { input: 'c', mgt: 'order' },
      { input: 'd', mgt: '' },
    ];
    const fixture = await HealthFixture.open(server, rows, { output_type: 'percentage' });
    const run_id = await fixture.run(1, [0.1, 0.8, 'often', 0.7]);
    const { body } = await ask(fixture, run_id, { positive_label: 'order' });
    expect(body).toMatchObject({ rows: 2, positive_rows: 1, skipped_rows: 1, isotonic: null, chosen_threshold: null });
    const overlaid = await ask(fixture, run_id, { positive_label: 'order', mgt_overlay: { [fixture.row_ids[3]!]: 'order' } });
    expect(overlaid.body).toMatchObject({ rows: 3, positive_rows: 2 });
  });

  it('is empty for a run without scores', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { output_type: 'percentage' });
    const run_id = await fixture.newRun();
    expect((await ask(fixture, run_id)).body).toMatchObject({ rows: 0, scores: null, reliability: [], thresholds: [] });
  });

  it('refuses two wishes at once, unknown runs and scorers, and strangers', async () => {
    const fixture = await HealthFixture.open(server, ROWS, { output_type: 'percentage' });
    const run_id = await fixture.newRun();
    expect((await ask(fixture, run_id, { precision: 0.9, recall: 0.9 })).status).toBe(422);
    expect((await ask(fixture, run_id, { bins: 1 })).status).toBe(422);
    expect((await ask(fixture, fixture.project_id)).body.code).toBe('run_not_found');
    expect((await ask(fixture, run_id, { scorer_id: run_id })).body.code).toBe('scorer_not_found');
    const stranger = await person(server);
    const refused = await stranger.request('POST', path(fixture, run_id), { scorer_id: fixture.scorer_id });
    expect(refused.status).toBe(404);
  });
});
