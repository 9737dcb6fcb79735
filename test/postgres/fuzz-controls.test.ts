import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Route } from '../../adapters/http/route.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { ACCESS_MATRIX } from '../access/access-matrix.ts';
import { Quiescence } from '../fuzz/quiescence.ts';
import { runFuzz } from '../fuzz/run-fuzz.ts';
import { openRange } from '../fuzz/target.ts';

type Handle = Route['handle'];

/** One fault each, in one operation. */
const FAULTS: Readonly<Record<string, readonly [break_: (handle: Handle) => Handle, problem: RegExp]>> = {
  'failed where it should refuse': [
    () => () => {
      throw new TypeError('x is not a function');
    },
    /not_a_server_error: 500/,
  ],
  'wrote before it refused': [
    (handle) => async (input) => {
      await handle(input);
      throw new AppError('invalid', 'request_invalid', 'no');
    },
    /state_unchanged: refused, and changed projects/,
  ],
  'refused as it does not say': [
    () => () => {
      throw new AppError('locked', 'nothing', 'no');
    },
    /status_code_conformance: 423/,
  ],
  'told of its inside': [
    () => () => {
      throw new AppError('conflict', 'nothing', 'duplicate key value violates unique constraint "projects_name"');
    },
    /no_leak: violates/,
  ],
};

describe('an operation', () => {
  it.each(Object.entries(FAULTS))('would be found out if it %s', async (_, [breakIt, problem]) => {
    const rows = ACCESS_MATRIX.filter(({ operation }) => operation === 'createProject').slice(0, 1);
    const mounted = (routes: readonly Route[]) =>
      routes.map((route) => (route.operationId === 'createProject' ? { ...route, handle: breakIt(route.handle) } : route));
    const range = await openRange(rows, { mounted });
    try {
      const { failures } = await runFuzz(range, { seed: 1, forMs: 3_000, keep: false, replay: false });
      expect(failures.map((failure) => failure.problem).join()).toMatch(problem);
    } finally {
      await range.close();
    }
  });
});

describe('work behind requests', () => {
  /** Rows written by such work between two looks at the stored state. */
  async function writtenMeanwhile(still: Quiescence, behind: Quiescence['behind']): Promise<number> {
    let stored = 0;
    let work: Promise<void> | undefined;
    const written = await still.watch(async () => {
      const before = stored;
      work = behind(async () => {
        stored += 1;
      });
      await setImmediate();
      return stored - before;
    });
    await work;
    expect(stored).toBe(1);
    return written;
  }

  it('waits while a request is watched', async () => {
    const still = new Quiescence();
    expect(await writtenMeanwhile(still, still.behind)).toBe(0);
  });

  it('would be taken for what the request wrote if it did not wait', async () => {
    expect(await writtenMeanwhile(new Quiescence(), (work) => work())).toBe(1);
  });
});
