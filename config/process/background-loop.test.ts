import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../core/kernel/ports.ts';
import { silent } from '../../test/setup/silent.ts';
import { eventually } from '../../test/setup/timing.ts';
import { BackgroundLoop } from './background-loop.ts';

describe('background work', () => {
  it('goes on at once while there is more, and rests when there is not', async () => {
    let left = 5;
    let pieces = 0;
    const work = async () => {
      pieces += 1;
      left -= 1;
      return left > 0;
    };
    const loop = new BackgroundLoop({ name: 'test', work, idleDelayMs: 60_000 }, silent);
    await eventually(() => expect(pieces).toBe(5));
    await sleep(20);
    expect(pieces).toBe(5);
    await loop.stop();
  });

  it('goes on as soon as what its pause left room for is over', async () => {
    let pieces = 0;
    let isBusy = true;
    const work = async () => {
      pieces += 1;
      await sleep(5);
      return true;
    };
    const loop = new BackgroundLoop({ name: 'test', work, idleDelayMs: 60_000, dutyCycle: () => (isBusy ? 1e6 : 0) }, silent);
    await eventually(() => expect(pieces).toBe(1));
    await sleep(20);
    expect(pieces).toBe(1);
    isBusy = false;
    await eventually(() => expect(pieces).toBeGreaterThan(3));
    await loop.stop();
  });

  it('is repeated after it failed, and says so', async () => {
    let pieces = 0;
    const warned: unknown[] = [];
    const work = async () => {
      pieces += 1;
      throw new Error('no luck');
    };
    const log: Log = { ...silent, warn: (_message, fields) => void warned.push(fields) };
    const loop = new BackgroundLoop({ name: 'test', work, idleDelayMs: 1 }, log);
    await eventually(() => expect(pieces).toBeGreaterThan(2));
    await loop.stop();
    expect(warned[0]).toEqual({ work: 'test', error: 'no luck' });
  });

  it('ends after the piece under way', async () => {
    let done = false;
    const begun = Promise.withResolvers<void>();
    const work = async () => {
      begun.resolve();
      await sleep(30);
      done = true;
      return true;
    };
    const loop = new BackgroundLoop({ name: 'test', work, idleDelayMs: 1 }, silent);
    await begun.promise;
    await loop.stop();
    expect(done).toBe(true);
  });
});
