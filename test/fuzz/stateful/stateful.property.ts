import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../../http/harness.ts';
import { checkStateful } from './run-stateful.ts';

/** The same steps each time, unless told otherwise. */
const SEED = Number(process.env.STATEFUL_SEED ?? 1);
const TIMES = Number(process.env.STATEFUL_TIMES ?? 1);

/** Property: objects made, changed, listed and deleted by random steps over HTTP are those of a plain model. */
export function statefulModel(where: string, open: () => Promise<TestServer>, numRuns: number): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await open();
  });
  afterAll(() => server?.close());

  it(`is there as a plain model says, after any steps, ${where}`, { timeout: 240_000 * TIMES }, async () => {
    const requests = await checkStateful(server, { seed: SEED, numRuns: numRuns * TIMES });
    process.stdout.write(`stateful, ${where}: STATEFUL_SEED=${SEED}, ${numRuns * TIMES} runs, ${requests} requests\n`);
    expect(requests).toBeGreaterThan(numRuns * 10);
  });
}
