import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { AppError } from '../../core/kernel/errors.ts';
import { ReadingTurns } from './reading-turns.ts';

const LIMITS = { atOnce: 3, atOnceOfUser: 2, waitingOfUser: 4 };

function open() {
  const turns = new ReadingTurns(LIMITS);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, signal = new AbortController().signal) =>
    turns.begin(name[0]!, signal).then((end) => {
      begun.push(name);
      ends.set(name, end);
    });
  return { begin, begun, end: (name: string) => ends.get(name)!() };
}

it('lets so many messages be read at once, of one user fewer, and the next in turns by user', async () => {
  const { begin, begun, end } = open();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void begin(name);
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  end('a1');
  await turn();
  expect(begun.at(-1)).toBe('a3');
  end('a1');
  end('a2');
  await turn();
  expect(begun.slice(4)).toEqual(['b2']);
  end('b1');
  await turn();
  expect(begun.slice(5)).toEqual(['c1']);
});

it('refuses a user of whom too many wait, and nobody else', async () => {
  const { begin } = open();
  for (let at = 0; at < LIMITS.atOnceOfUser + LIMITS.waitingOfUser; at += 1) void begin(`a${at}`);
  await expect(begin('a6')).rejects.toMatchObject({ kind: 'unavailable', code: 'overloaded' });
  await begin('b');
});

it('forgets a call that is gone before its turn', async () => {
  const { begin, begun, end } = open();
  const gone = new AbortController();
  void begin('a1');
  void begin('a2');
  const waiting = begin('a3', gone.signal);
  void begin('a4');
  gone.abort(new AppError('timeout', 'call_cancelled', 'the call was cancelled'));
  await expect(waiting).rejects.toMatchObject({ code: 'call_cancelled' });
  end('a1');
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'a4']);
});
