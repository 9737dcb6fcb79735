import { describe, expect, it } from 'vitest';
import type { Log } from '../../core/kernel/ports.ts';
import { ShutdownSequence } from './shutdown-sequence.ts';

function newSequence() {
  const logged: unknown[] = [];
  const log: Log = { info: () => {}, warn: () => {}, error: (message, fields) => void logged.push({ message, ...fields }) };
  const ended: string[] = [];
  const sequence = new ShutdownSequence(log);
  const part = (name: string) => sequence.add(async () => void ended.push(name));
  return { sequence, part, ended, logged };
}

describe('the shutdown sequence', () => {
  it('ends the latest part first, each before the next', async () => {
    const { sequence, part, ended } = newSequence();
    part('server');
    sequence.add(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ended.push('jobs');
    });
    part('listener');
    await sequence.run();
    expect(ended).toEqual(['listener', 'jobs', 'server']);
  });

  it('logs a step that rejects or throws, and runs the others', async () => {
    const { sequence, part, ended, logged } = newSequence();
    part('server');
    sequence.add(() => Promise.reject(new Error('rejected')));
    sequence.add(() => {
      throw new Error('thrown');
    });
    await sequence.run();
    expect(ended).toEqual(['server']);
    expect(logged).toEqual([
      { message: 'while stopping', error: 'Error: thrown' },
      { message: 'while stopping', error: 'Error: rejected' },
    ]);
  });

  it('runs once, however often it is asked to', async () => {
    const { sequence, part, ended } = newSequence();
    part('server');
    await Promise.all([sequence.run(), sequence.run()]);
    await sequence.run();
    expect(ended).toEqual(['server']);
  });

  it('takes no further step once it has begun', async () => {
    const { sequence, part } = newSequence();
    const running = sequence.run();
    expect(sequence.hasBegun).toBe(true);
    expect(() => part('late')).toThrow('asked to end while starting');
    await running;
  });
});
