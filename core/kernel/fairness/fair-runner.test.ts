import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/setup/timing.ts';
import { FairRunner, type FairWork } from './fair-runner.ts';

const never = new AbortController().signal;
const newRunner = () => new FairRunner({ slots: 4, perKey: 2 }, () => performance.now());

/** Pieces by owner, which end when they are told to. */
class Pieces implements FairWork {
  readonly waiting: [owner: string, name: string][] = [];
  readonly running = new Map<string, PromiseWithResolvers<void>>();
  readonly done: string[] = [];

  async owners(): Promise<string[]> {
    return [...new Set(this.waiting.map(([owner]) => owner))];
  }

  async take(owner: string): Promise<(() => Promise<void>) | undefined> {
    const at = this.waiting.findIndex((one) => one[0] === owner);
    if (at < 0) return undefined;
    const [, name] = this.waiting.splice(at, 1)[0]!;
    return async () => {
      const ended = Promise.withResolvers<void>();
      this.running.set(name, ended);
      await ended.promise;
      this.running.delete(name);
      this.done.push(name);
    };
  }

  end(name: string): void {
    this.running.get(name)!.resolve();
  }
}

describe('FairRunner', () => {
  it('goes on with other owners while a piece hangs, and ends when nothing is left', async () => {
    const pieces = new Pieces();
    pieces.waiting.push(['a', 'a1'], ['a', 'a2'], ['a', 'a3'], ['b', 'b1']);
    const run = newRunner().run(pieces, never);
    await eventually(() => expect([...pieces.running.keys()].sort()).toEqual(['a1', 'b1']));
    pieces.end('b1');
    await eventually(() => expect(pieces.done).toEqual(['b1']));
    pieces.waiting.push(['c', 'c1']);
    await eventually(() => expect(pieces.running.has('c1')).toBe(true));
    await eventually(() => expect([...pieces.running.keys()]).toContain('a1'));
    while (pieces.done.length < 5) {
      for (const name of pieces.running.keys()) pieces.end(name);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await run;
    expect(pieces.done.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  });

  it('begins nothing once it is told to stop, and waits for what is under way', async () => {
    const pieces = new Pieces();
    const stop = new AbortController();
    pieces.waiting.push(['a', 'a1']);
    const run = newRunner().run(pieces, stop.signal);
    await eventually(() => expect(pieces.running.has('a1')).toBe(true));
    pieces.waiting.push(['b', 'b1']);
    stop.abort();
    pieces.end('a1');
    await run;
    expect(pieces.done).toEqual(['a1']);
    expect(pieces.waiting).toEqual([['b', 'b1']]);
  });

  it('rejects with a failure when all that was begun has ended', async () => {
    const pieces = new Pieces();
    pieces.waiting.push(['a', 'a1'], ['b', 'b1']);
    const run = newRunner().run(pieces, never);
    await eventually(() => expect(pieces.running.size).toBe(2));
    pieces.running.get('a1')!.reject(new Error('the database is away'));
    pieces.end('b1');
    await expect(run).rejects.toThrow('the database is away');
    expect(pieces.done).toEqual(['b1']);
  });
});
