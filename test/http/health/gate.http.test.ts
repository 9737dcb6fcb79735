import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allProbes, storedAudit } from '../../fixtures/health/stored-audit.ts';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';
import { HealthFixture } from './health-fixture.ts';

let server: TestServer;
let fixture: HealthFixture;
let gate: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Version 1, the default, is right on nine rows of ten; version 2 on seven, version 3 on all, and nobody has tried version 4. */
beforeEach(async () => {
  const truths = Array.from({ length: 10 }, (_, row) => row % 2 === 0);
  fixture = await HealthFixture.open(
    server,
    truths.map((mgt) => ({ mgt: String(mgt) })),
    { versions: 4 },
  );
  const wrongOn = (rows: number) => truths.map((truth, row) => (row < rows ? !truth : truth));
  for (const [version, wrong] of [
    [1, 1],
    [2, 3],
    [3, 0],
  ] as const)
    await fixture.health(await fixture.run(version, wrongOn(wrong)));
  gate = `/v2/scorers/${fixture.scorer_id}/gate`;
});

const check = async (body: object = {}) => (await server.request('POST', `${gate}/check`, body)).body;
const toScore = async (version: number) =>
  (await fixture.kept()).find((one: { scorer_version_number: number }) => one.scorer_version_number === version).score;

describe('the gate of a scorer', () => {
  it('refuses a version that is worse than the default one by more than the margin, and lets a better one by', async () => {
    const { dataset_id } = fixture;
    expect((await server.request('PUT', gate, { dataset_id, margin: 0.05 })).status).toBe(200);
    const [first, second] = [await toScore(1), await toScore(2)];
    expect(await check({ version: 2 })).toMatchObject({
      passed: false,
      reason: 'below_margin',
      health_score_type: 'macro_f1',
      margin: 0.05,
      shortfall: first - second,
      candidate: { scorer_version_number: 2, health_score: { score: second, dataset_id } },
      default: { scorer_version_number: 1, health_score: { score: first } },
    });
    expect(await check({ version: 3 })).toMatchObject({ passed: true, reason: 'within_margin' });
    expect(await check({ scorer_version_id: fixture.version_ids[1] })).toMatchObject({ passed: true, reason: 'is_default' });
  });

  it('keeps a version that does not pass from becoming the default, unless that is forced', async () => {
    await server.request('PUT', gate, { dataset_id: fixture.dataset_id, margin: 0.05 });
    const makeDefault = (version: number, more: object = {}) =>
      server.request('PATCH', `/v2/scorers/${fixture.scorer_id}`, { default_version_id: fixture.version_ids[version], ...more });
    const defaultVersion = async () =>
      (await server.request('GET', `/v2/scorers/${fixture.scorer_id}`)).body.default_version.version;
    for (const version of [2, 4])
      expect(await makeDefault(version)).toMatchObject({ status: 409, body: { code: 'gate_closed' } });
    expect(await defaultVersion()).toBe(1);
    expect((await makeDefault(3)).status).toBe(200);
    expect(await defaultVersion()).toBe(3);
    expect((await makeDefault(2, { force: true })).status).toBe(200);
    expect(await defaultVersion()).toBe(2);
    const noted = await server.request('GET', `/v2/audit_log?object_id=${fixture.scorer_id}`);
    expect(JSON.stringify(noted.body)).toContain('"gate":"forced"');
    expect((await server.request('PATCH', `/v2/scorers/${fixture.scorer_id}`, { description: 'better' })).status).toBe(200);
  });

  it('asks for an audit without a finding where it is set to, and keeps back a version without', async () => {
    const audit = { max_days: 30 };
    const set = await server.request('PUT', gate, { dataset_id: fixture.dataset_id, margin: 0.05, audit });
    expect(set.body.audit).toEqual({ max_days: 30, probes: Object.keys(allProbes('not_shown')) });
    const { scorer_id, version_ids } = fixture;
    const makeDefault = () => server.request('PATCH', `/v2/scorers/${scorer_id}`, { default_version_id: version_ids[3] });
    expect(await check({ version: 3 })).toMatchObject({ passed: false, reason: 'audit_missing', audit: null });
    expect(await check({ version: 2 })).toMatchObject({ reason: 'below_margin' });
    expect(await check({ version: 1 })).toMatchObject({ reason: 'is_default' });
    expect(await makeDefault()).toMatchObject({ status: 409, body: { code: 'gate_closed' } });
    const [today] = new Date().toISOString().split('T') as [string];
    const own = { scorer_id, scorer_version_id: version_ids[3]! };
    const { judgeAuditStore } = server.cradle;
    await judgeAuditStore.insert(storedAudit({ ...allProbes('not_shown'), position: 'biased' }, today, own));
    expect(await check({ version: 3 })).toMatchObject({ passed: false, reason: 'bias_found', audit: { found: ['position'] } });
    expect(await check({ version: 3, audit: { max_days: 1, probes: ['language'] } })).toMatchObject({ passed: true });
    const later = { ...own, created_at: `${today}T00:00:01.000Z` };
    await judgeAuditStore.insert(storedAudit(allProbes('not_shown'), today, later));
    expect(await check({ version: 3 })).toMatchObject({ passed: true, reason: 'within_margin', audit: { found: [] } });
    expect((await makeDefault()).status).toBe(200);
  });

  it('refuses a version that nobody has measured: the latest, when none is named', async () => {
    await server.request('PUT', gate, { dataset_id: fixture.dataset_id, margin: 1 });
    expect(await check()).toMatchObject({
      passed: false,
      reason: 'candidate_not_measured',
      candidate: { scorer_version_number: 4, health_score: null },
    });
  });

  it('is not opened by ground truth that is not in the dataset', async () => {
    await server.request('PUT', gate, { dataset_id: fixture.dataset_id, margin: 0 });
    const run_id = await fixture.run(
      4,
      fixture.row_ids.map(() => true),
    );
    const mgt_overlay = Object.fromEntries(fixture.row_ids.map((row_id) => [row_id, 'true']));
    expect((await fixture.health(run_id, { mgt_overlay })).body).toMatchObject({ value: 1 });
    expect(await check({ version: 4 })).toMatchObject({ passed: false, reason: 'candidate_not_measured' });
  });

  it('knows that errors are better the smaller they are', async () => {
    const numbers = await HealthFixture.open(server, [{ mgt: '1' }, { mgt: '2' }], { output_type: 'count', versions: 2 });
    await numbers.health(await numbers.run(1, [1, 3]), { output_type: 'count' });
    await numbers.health(await numbers.run(2, [1, 2]), { output_type: 'count' });
    const { body } = await server.request('POST', `/v2/scorers/${numbers.scorer_id}/gate/check`, {
      dataset_id: numbers.dataset_id,
    });
    expect(body).toMatchObject({ passed: true, health_score_type: 'mae', shortfall: -0.5, margin: 0 });
  });

  it('may be asked on other terms than its own, and without being set', async () => {
    expect(await check({ version: 2 })).toMatchObject({ code: 'scorer_gate_not_found' });
    const { dataset_id } = fixture;
    expect(await check({ version: 2, dataset_id })).toMatchObject({ passed: false, margin: 0 });
    expect(await check({ version: 2, dataset_id, margin: 0.5 })).toMatchObject({ passed: true });
    expect(await check({ version: 2, dataset_id, health_score_type: 'mse' })).toMatchObject({ reason: 'candidate_not_measured' });
  });

  it('is set, shown and removed', async () => {
    const wanted = { dataset_id: fixture.dataset_id, margin: 0.1 };
    const shown = { scorer_id: fixture.scorer_id, ...wanted, audit: null, health_score_type: null };
    const stamp = { updated_by: expect.any(String), updated_at: expect.any(String) };
    expect((await server.request('PUT', gate, wanted)).body).toEqual({ ...shown, ...stamp });
    expect((await server.request('GET', gate)).body).toEqual({ ...shown, ...stamp });
    expect((await server.request('DELETE', gate)).status).toBe(200);
    for (const method of ['GET', 'DELETE'])
      expect(await server.request(method, gate)).toMatchObject({ status: 404, body: { code: 'scorer_gate_not_found' } });
  });

  it.each<[object, number, string]>([
    [{ margin: 0 }, 422, 'request_invalid'],
    [{ dataset_id: randomUUID(), margin: 0 }, 404, 'dataset_not_found'],
    [{ dataset_id: randomUUID(), margin: -1 }, 422, 'request_invalid'],
  ])('is not set to %j', async (body, status, code) => {
    expect(await server.request('PUT', gate, body)).toMatchObject({ status, body: { code } });
  });
});

describe('npm run gate', () => {
  const run = async (...args: string[]): Promise<{ code: number; said: string }> => {
    const env = { ...process.env, SERVICE_URL: server.url, SERVICE_API_KEY: ADMIN.api_key };
    const ended = promisify(execFile)(process.execPath, ['cli/gate.ts', ...args], { env });
    return ended.then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
    );
  };

  it('ends with 0 when the version passes, with 1 when it does not, with 2 when that is not known', async () => {
    const { scorer_id: scorer, dataset_id: dataset } = fixture;
    const asked = ['--scorer', scorer, '--dataset', dataset];
    expect(await run(...asked, '--version', '3')).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^passed: within_margin/),
    });
    expect(await run(...asked, '--version', '2')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^refused: below_margin/),
    });
    expect(await run(...asked, '--version', '2', '--margin', '0.5')).toMatchObject({ code: 0 });
    expect(await run('--scorer', scorer)).toMatchObject({ code: 2, said: expect.stringContaining('404') });
    expect(await run()).toMatchObject({ code: 2, said: expect.stringContaining('--scorer is missing') });
    expect(await run(...asked, '--margin', 'x')).toMatchObject({ code: 2, said: expect.stringContaining('no number') });
  });
});
