import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTouchstone } from '../../test/setup/command-line.ts';
import { type StartedService, startService } from '../../testing/start-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-score-'));
const file = join(folder, 'answers.jsonl');
let service: StartedService;
let scorer_id: string;

beforeAll(async () => {
  service = await startService();
  writeFileSync(file, ['short', 'a longer answer', 'bad'].map((output) => JSON.stringify({ input: 'q', output })).join('\n'));
  scorer_id = (
    await service.request('POST', '/v2/scorers', { name: 'length', scorer_type: 'code', scoreable_node_types: ['trace'] })
  ).body.id;
  await upload('function scorer({ output }) { if (output === "bad") throw new Error("no verdict"); return output.length; }');
  await upload('function scorer({ output }) { return output.length > 5; }');
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function upload(source: string): Promise<void> {
  const raw = new FormData();
  raw.append('file', new Blob([source]), 'scorer.js');
  expect((await service.request('POST', `/v2/scorers/${scorer_id}/version/code`, undefined, { raw })).status).toBe(200);
}

const touchstone = (...args: readonly string[]) => runTouchstone(service, ['score', '--project', 'graded', ...args]);

describe('touchstone score', () => {
  it('scores a file by a version, in an experiment of its own, and ends by a threshold', async () => {
    const second = ['--scorer', 'length', '--scorer-version', '2'];
    const done = await touchstone(file, ...second, '--fail-below', '0.3', '--json');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(done.out)).toMatchObject({
      metric: 'length',
      records: 3,
      scored: 3,
      failed: 0,
      mean: 1 / 3,
      min: 0,
      max: 1,
      passed: true,
      url: expect.stringContaining('/experiments/'),
    });
    const refused = await touchstone(file, ...second, '--fail-below', '0.5');
    expect(refused.code).toBe(1);
    expect(refused.out).toContain('refused: the mean is below 0.5');
    expect((await touchstone(file, ...second, '--fail-above', '0.1')).code).toBe(1);
  });

  it('ends with 1 when a record cannot be scored, and says why', async () => {
    const done = await touchstone(file, '--scorer', scorer_id, '--scorer-version', '1');
    expect(done.code).toBe(1);
    expect(done.out).toContain('2 of 3 records scored, 1 failed');
    expect(done.out).toContain('no verdict');
    expect(done.out).toContain('mean 10, from 5 to 15');
  });

  it('scores a run once the scorer is enabled there, only the traces that are asked for', async () => {
    const { id: project_id } = (await service.request('POST', '/v2/projects', { name: 'graded', type: 'gen_ai' })).body;
    const stream = (await service.request('POST', `/v2/projects/${project_id}/log_streams`, { name: 'live' })).body.id;
    const traces = ['one', 'three or so'].map((output) => ({ name: output, input: 'q', output }));
    await service.request('POST', `/v2/projects/${project_id}/traces`, { log_stream_id: stream, traces });
    const run = ['--scorer', 'length', '--scorer-version', '2', '--log-stream', 'live', '--json'];

    const refused = await touchstone(...run);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toContain('--enable');

    const done = await touchstone(...run, '--enable');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(done.out)).toMatchObject({ records: 2, scored: 2, mean: 0.5, url: null });
    const some = await touchstone(...run, '--filter', 'name=one');
    expect(JSON.parse(some.out)).toMatchObject({ records: 1, scored: 1, mean: 0 });
  });

  it('waits for a scorer that takes its time', async () => {
    await upload('function scorer() { const until = Date.now() + 400; while (Date.now() < until); return 0.25; }');
    const done = await touchstone(file, '--scorer', 'length', '--scorer-version', '3', '--json');
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(done.out)).toMatchObject({ records: 3, scored: 3, mean: 0.25 });
  });

  it('cannot score by what is not there', async () => {
    expect(await touchstone(file, '--scorer', 'nobody')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no scorer called nobody'),
    });
    expect(await touchstone(file, '--scorer', 'length', '--enable')).toMatchObject({ code: 2 });
  });
});
