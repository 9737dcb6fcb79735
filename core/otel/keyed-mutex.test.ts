import { expect, it } from 'vitest';
import { KeyedMutex } from './keyed-mutex.ts';

it('lets work on one thing come in order, and other work beside it', async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const gates = new Map<string, () => void>();
  const work = (name: string, ...keys: string[]) =>
    turns.run(keys, async () => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => gates.set(name, resolve));
      log.push(`${name} ends`);
    });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
  const all = [work('one', 'a', 'b'), work('two', 'b', 'c'), work('three', 'c'), work('four', 'd')];
  await settle();
  expect(log).toEqual(['one begins', 'four begins']);
  gates.get('one')!();
  await settle();
  expect(log.slice(2)).toEqual(['one ends', 'two begins']);
  for (const name of ['two', 'three', 'four']) {
    gates.get(name)!();
    await settle();
  }
  await Promise.all(all);
  expect(log.slice(4)).toEqual(['two ends', 'three begins', 'three ends', 'four ends']);
});

it('goes on when work fails, and hands the failure to who asked for it', async () => {
  const turns = new KeyedMutex();
  const failing = turns.run(['a'], async () => {
    throw new Error('no');
  });
  const after = turns.run(['a'], async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await after).toBe('done');
});
