import { expect, it } from 'vitest';
import { memoryAdapters } from '../../config/wiring/memory.ts';
import type { JobMessage } from '../../core/jobs/job-store.ts';
import { transactionsContract } from '../../test/contracts/kernel/transactions.contract.ts';
import { resolved } from '../../test/setup/resolved.ts';
import { MemoryDatabase } from './memory-database.ts';

transactionsContract('memory', async () => {
  const adapters = resolved(memoryAdapters());
  const { transactions, projectStore, groupStore, loginStore, auditStore, jobStore } = adapters;
  const taken: JobMessage[] = [];
  await adapters.jobQueue.work(
    async (message) => void taken.push(message),
    async () => {},
  );
  const messages = async () => [...taken];
  return { port: { transactions, projectStore, groupStore, loginStore, auditStore, jobStore, messages }, close: async () => {} };
});

it('keeps rows in the order in which they came, rows put again after their removal last', async () => {
  const database = new MemoryDatabase();
  const table = database.table<string, number>();
  for (const [at, key] of ['a', 'b', 'c'].entries()) table.set(key, at);
  const read = () => [...table].map(([key, value]) => `${key}${value}`);
  await database.run(async () => {
    table.set('d', 3).set('b', 9).delete('a');
    table.set('a', 7);
    expect(read()).toEqual(['b9', 'c2', 'd3', 'a7']);
    expect(table.size).toBe(4);
    table.delete('c');
    table.delete('d');
    expect(read()).toEqual(['b9', 'a7']);
    expect(table.size).toBe(2);
  });
  expect(read()).toEqual(['b9', 'a7']);
  expect(table.size).toBe(2);
});

it('counts what goes on in the name of a transaction after its end to none', async () => {
  const database = new MemoryDatabase();
  const table = database.table<string, number>();
  const later = Promise.withResolvers<void>();
  let straggler: Promise<void> | undefined;
  await database.run(async () => {
    table.set('first', 1);
    straggler = later.promise.then(() => void table.set('second', 2));
  });
  later.resolve();
  await straggler;
  expect([...table.keys()]).toEqual(['first', 'second']);
});

it('wakes the statements that wait for a writer one after the other, in their order', async () => {
  const database = new MemoryDatabase();
  const rows = database.table<number, number>();
  const begun: number[] = [];
  const store = database.inStatements({
    async put(at: number): Promise<void> {
      begun.push(at);
      database.hold();
      await Promise.resolve();
      rows.set(at, at);
    },
    /** Finds out, when it is begun again, that there is nothing to write. */
    async putOnce(at: number): Promise<void> {
      begun.push(at);
      if (begun.indexOf(at) === begun.lastIndexOf(at)) database.hold();
    },
  });
  const { promise: end, resolve: finish } = Promise.withResolvers<void>();
  const writer = database.run(async () => {
    await store.put(0);
    await end;
  });
  await expect.poll(() => rows.size + begun.length).toBe(1);
  const waiting = [store.put(1), store.putOnce(2), store.put(3)];
  expect(begun).toEqual([0, 1, 2, 3]);
  finish();
  await Promise.all([writer, ...waiting]);
  expect([...rows.keys()]).toEqual([0, 1, 3]);
  expect(begun).toEqual([0, 1, 2, 3, 1, 2, 3]);
});

it('leaves no statement waiting for a writer that ended just before it began to wait', async () => {
  for (let turns = 0; turns < 30; turns += 1) {
    const database = new MemoryDatabase();
    const rows = database.table<number, number>();
    const store = database.inStatements({
      async put(at: number): Promise<void> {
        rows.set(at, at);
      },
    });
    const later = async () => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await store.put(1);
    };
    await Promise.all([database.run(() => store.put(0)), later()]);
    expect([...rows.keys()]).toEqual([0, 1]);
  }
});
