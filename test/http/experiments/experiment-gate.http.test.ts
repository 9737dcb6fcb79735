import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN, startTestServer, type TestServer } from '../harness.ts';

let server: TestServer;
let project_id: string;
beforeAll(async () => {
  server = await startTestServer();
  project_id = (await server.request('POST', '/v2/projects', { name: `p ${randomUUID()}` })).body.id;
});
afterAll(() => server.close());

const ROWS = Array.from({ length: 8 }, () => randomUUID());
/** An experiment whose rows have about this quality and cost. */
async function experiment(quality: number, cost: number, rows = ROWS): Promise<string> {
  const { id } = (await server.request('POST', `/v2/projects/${project_id}/experiments`, { name: `e ${randomUUID()}` })).body;
  const traces = rows.map((dataset_row_id, at) => ({
    input: 'a',
    output: 'b',
    dataset_metadata: { dataset_row_id },
    metrics: { quality: quality + at / 100, price: cost + at / 100 },
  }));
  expect((await server.request('POST', `/v2/projects/${project_id}/traces`, { experiment_id: id, traces })).status).toBe(200);
  return id;
}
const gate = async (...args: string[]): Promise<{ code: number; said: string }> => {
  const env = { ...process.env, SERVICE_URL: server.url, SERVICE_API_KEY: ADMIN.api_key };
  const ended = promisify(execFile)(process.execPath, ['cli/gate.ts', '--project', project_id, ...args], { env });
  return ended.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
};

describe('npm run gate, of an experiment', () => {
  it('ends with 0 where no metric is worse than in the baseline, with 1 where one is', async () => {
    const [before, better, worse] = [await experiment(0.5, 1), await experiment(0.75, 1), await experiment(0.4, 1)];
    const against = (candidate: string, ...more: string[]) =>
      gate('--baseline', before, '--experiment', candidate, '--metric', 'quality', ...more);
    expect(await against(better)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/^passed: not_worse, quality \+0\.25 on 8 rows/),
    });
    expect(await against(before)).toMatchObject({ code: 0 });
    expect(await against(worse)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^refused: worse_than_baseline, quality -0\.1 on 8 rows/),
    });
    expect(await against(worse, '--margin', '0.2')).toMatchObject({ code: 0 });
    expect(await against(worse, '--metric', 'price')).toMatchObject({ code: 1, said: expect.not.stringContaining('price') });
  });

  it('ends with 2 where that is not known', async () => {
    const [before, other, single] = [await experiment(0.5, 1), await experiment(0.5, 1), await experiment(0.1, 1, [ROWS[0]!])];
    const against = (candidate: string, ...more: string[]) => gate('--baseline', before, '--experiment', candidate, ...more);
    const unknown = (said: string) => ({ code: 2, said: expect.stringContaining(said) });
    expect(await against(other, '--metric', 'kindness')).toMatchObject(unknown('no row has kindness in both'));
    expect(await against(single, '--metric', 'quality')).toMatchObject(unknown('1 rows with quality are too few'));
    expect(await against(randomUUID(), '--metric', 'quality')).toMatchObject(unknown('404'));
    expect(await against(other)).toMatchObject(unknown('--metric is missing'));
    expect(await against(other, '--metric', 'quality', '--margin', '-1')).toMatchObject(unknown('ambiguous'));
    expect(await against(other, '--metric', 'quality', '--margin=-1')).toMatchObject(unknown('below 0'));
  });
});
