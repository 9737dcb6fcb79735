import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
