import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scorerFixture } from '../../http/scorers/scorer-fixture.ts';
import { getChildren } from '../../setup/child-processes.ts';
import { type PostgresService, startPostgresService } from '../../setup/postgres-service.ts';
import { eventually, PATIENCE_MS } from '../../setup/timing.ts';

/** Kills in all; `npm run prove -- kills` takes 20. */
const KILLS = Number(process.env.SANDBOX_KILLS ?? 3);
const TRACES_BETWEEN = 150;
/** Slow enough to be killed in the middle. */
const PYTHON =
  'import time\n\ndef scorer(record):\n    end = time.perf_counter() + 0.003\n    while time.perf_counter() < end:\n        pass\n    return 0.25\n';
const JAVASCRIPT = 'function scorer() { const end = Date.now() + 3; while (Date.now() < end); return 0.25; }';
const ENTRIES = ['python-main', 'child-main'] as const;

let server: PostgresService;
let run: Awaited<ReturnType<ReturnType<typeof scorerFixture>['run']>>;
const fixture = scorerFixture(() => server);
const ids: string[] = [];
/** By the process that runs them. */
const scorers = new Map<string, string>();

beforeAll(async () => {
  server = await startPostgresService();
  run = await fixture.run();
  const enabled = [];
  for (const [entry, source, filename] of [
    [ENTRIES[0], PYTHON, 'scorer.py'],
    [ENTRIES[1], JAVASCRIPT, 'scorer.js'],
  ] as const) {
    const { id } = await fixture.create({ scoreable_node_types: ['trace'], output_type: 'percentage' });
    const { status, body } = await fixture.send(`/v2/scorers/${id}/version/code`, source, {}, filename);
    expect(status, JSON.stringify(body)).toBe(200);
    enabled.push({ id });
    scorers.set(entry, id);
  }
  await run.enable(...enabled);
});
afterAll(() => server.close());

const scores = () => server.cradle.scoreStore.list(run.project_id, run.run_id, ids);

async function logMore(): Promise<void> {
  const traces = Array.from({ length: TRACES_BETWEEN }, (_, at) => ({ input: `q${at}`, output: 'a' }));
  const path = `/v2/projects/${run.project_id}/traces`;
  const { body } = await server.request('POST', path, { log_stream_id: run.run_id, traces });
  ids.push(...body.trace_ids);
}

/** Processes of the sandbox of one language; others of the tests are no children of this process. */
const childrenOf = (entry: (typeof ENTRIES)[number]): number[] =>
  getChildren(process.pid).filter((pid) => readCommand(pid).includes(entry));

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Kills all processes of a language once they have scored some of what was logged last, at any moment until the rest is done. */
async function killAtWork(entry: (typeof ENTRIES)[number]): Promise<number> {
  const scoredBy = async () => (await scores()).filter(({ scorer_id }) => scorer_id === scorers.get(entry)).length;
  const before = await scoredBy();
  await logMore();
  await eventually(async () => expect(await scoredBy()).toBeGreaterThan(before));
  await sleep(Math.random() * 30);
  const open = ids.length * ENTRIES.length - (await scores()).length;
  for (const pid of childrenOf(entry)) process.kill(pid, 'SIGKILL');
  return open;
}

describe('scoring in Python and in JavaScript', () => {
  it.runIf(existsSync('/proc/self/task'))(
    `loses no score and makes none twice by ${KILLS} kills of processes at work`,
    async () => {
      const open: number[] = [];
      for (let at = 0; at < KILLS; at += 1) open.push(await killAtWork(ENTRIES[at % ENTRIES.length]!));
      await eventually(async () => expect((await scores()).length).toBe(ids.length * ENTRIES.length));
      const stored = await scores();
      const lost = ids.length * ENTRIES.length - stored.length;
      const doubled = stored.filter(({ times_scored }) => times_scored > 1).length;
      const failed = stored.filter(({ status_type, value }) => status_type !== 'success' || value !== 0.25);
      process.stdout.write(
        `sandbox: ${KILLS} kills, with ${open.join(', ')} scores to come; ${stored.length} scores, lost ${lost}, doubled ${doubled}, failed ${failed.length}\n`,
      );
      expect({ lost, doubled, failed: failed.map(({ message }) => message) }).toEqual({ lost: 0, doubled: 0, failed: [] });
      for (const count of open) expect(count).toBeGreaterThan(0);
    },
    PATIENCE_MS * 4,
  );
});
