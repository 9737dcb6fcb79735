import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EventLoopScheduler } from './event-loop-scheduler.ts';

/** Work that takes `ms` of a clock that nothing else moves. */
function worker(ms: number) {
  let now = 0;
  const done: number[] = [];
  const scheduler = new EventLoopScheduler(() => now);
  const work = async (name: number): Promise<void> => {
    await scheduler.mine();
    now += ms;
    done.push(name);
  };
  return { work, done };
}

describe('work that comes at once', () => {
  it('lets others have the event loop when a turn is used up', async () => {
    const { work, done } = worker(8);
    const all = Promise.all(Array.from({ length: 9 }, (_, name) => work(name)));
    const seen: number[] = [];
    while (done.length < 9) {
      await nextTurn();
      seen.push(done.length);
    }
    await all;
    expect(Math.max(...seen.map((count, turn) => count - (seen[turn - 1] ?? 0)))).toBeLessThanOrEqual(4);
    expect(seen.length).toBeGreaterThanOrEqual(3);
  });

  it('goes on first come first served', async () => {
    const { work, done } = worker(8);
    await Promise.all(Array.from({ length: 9 }, (_, name) => work(name)));
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('waits for nobody when it is alone', async () => {
    const { work, done } = worker(50);
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await work(0);
    await work(1);
    expect([done, turned]).toEqual([[0, 1], false]);
  });
});
