import { expect, it } from 'vitest';
import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { MemorySuspensionStore } from '../../../adapters/memory/scorers/memory-suspension-store.ts';
import { silent } from '../../../test/setup/silent.ts';
import { NO_PROJECT } from './scorer-kits.ts';
import { Strikes } from './strikes.ts';
import { MAX_STRIKES } from './suspension.ts';

const use = { project_id: 'p', scorer_id: 's', scorer_version_id: 'v' };
const timedOut = { kind: 'timed_out', message: 'the scorer ran longer than 500 ms' } as const;
const returned = { kind: 'returned', value: 1 } as const;

const opened = () => {
  const suspensionStore = new MemorySuspensionStore({ database: new MemoryDatabase(), projectExists: async () => true });
  return { suspensionStore, strikes: new Strikes({ suspensionStore, clock: () => new Date(0), log: silent }) };
};

it('switches a version off after so many records in a row without a result, over several runs, and says why', async () => {
  const { strikes, suspensionStore } = opened();
  const first = strikes.watch(use);
  for (let at = 1; at < MAX_STRIKES; at += 1) expect(first.after(timedOut)).toBeUndefined();
  expect(await suspensionStore.list('p', ['v'])).toEqual([]);
  const second = strikes.watch(use);
  expect(second.after(timedOut)).toMatchObject({ kind: 'refused', message: expect.stringContaining('longer than 500 ms') });
  await second.settled();
  expect(await suspensionStore.list('p', ['v'])).toMatchObject([{ scorer_id: 's', reason: 'timed_out' }]);
});

it('counts from the beginning after a record with a result, and each version and project by itself', () => {
  const { strikes } = opened();
  const watch = strikes.watch(use);
  for (let at = 1; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  expect(strikes.watch({ ...use, project_id: 'q' }).after(timedOut)).toBeUndefined();
  expect(strikes.watch({ ...use, scorer_version_id: 'w' }).after(timedOut)).toBeUndefined();
  expect(watch.after(returned)).toBeUndefined();
  for (let at = 1; at < MAX_STRIKES; at += 1) expect(watch.after(timedOut)).toBeUndefined();
});

it('gives a version that was switched on again all its strikes', async () => {
  const { strikes, suspensionStore } = opened();
  const watch = strikes.watch(use);
  for (let at = 0; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  await watch.settled();
  await suspensionStore.remove('p', 'v');
  const again = strikes.watch(use);
  for (let at = 1; at < MAX_STRIKES; at += 1) expect(again.after(timedOut)).toBeUndefined();
  expect(again.after(timedOut)).toBeDefined();
});

it('tells all records to come of the job that the version is switched off, whatever came of those under way', () => {
  const watch = opened().strikes.watch(use);
  for (let at = 1; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  const verdict = watch.after(timedOut);
  expect(verdict).toBeDefined();
  expect(watch.after(returned)).toBe(verdict);
  expect(watch.after(timedOut)).toBe(verdict);
});

it('says when what was switched off is stored', async () => {
  const { strikes, suspensionStore } = opened();
  const gate = Promise.withResolvers<void>();
  const insert = suspensionStore.insert.bind(suspensionStore);
  suspensionStore.insert = async (suspension) => {
    await gate.promise;
    return insert(suspension);
  };
  const watch = strikes.watch(use);
  for (let at = 0; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  const stored = watch.settled().then(() => suspensionStore.list('p', ['v']));
  gate.resolve();
  expect(await stored).toHaveLength(1);
});

it('ends a trial on samples, and switches nothing off: a candidate belongs to no project', async () => {
  const { strikes, suspensionStore } = opened();
  const watch = strikes.watch({ ...use, project_id: NO_PROJECT });
  for (let at = 1; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  expect(watch.after(timedOut)).toMatchObject({ kind: 'refused' });
  await watch.settled();
  expect(await suspensionStore.list(NO_PROJECT, ['v'])).toEqual([]);
});

it('keeps counts of the versions that ran last, and not of ever more', () => {
  const { strikes } = opened();
  const watch = strikes.watch(use);
  for (let at = 1; at < MAX_STRIKES; at += 1) watch.after(timedOut);
  for (let at = 0; at < 10_000; at += 1) strikes.watch({ ...use, scorer_version_id: String(at) }).after(timedOut);
  expect(watch.after(timedOut)).toBeUndefined();
});
