import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Amount, SpendingKey } from '../../../core/scorers/lending/spending.ts';
import { newRun, type RecordStores } from '../traces/record-stores.ts';

const NOTHING = { calls: 0, failed_calls: 0, unpriced_calls: 0, cached_answers: 0, input_tokens: 0, output_tokens: 0, cost: 0 };

export function spendingStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`SpendingStore, ${adapter}`, () => {
    let stores: RecordStores;
    let key: SpendingKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      const scorer = { scorer_id: randomUUID(), scorer_version_id: randomUUID() };
      key = { ...(await newRun(stores)), ...scorer, provider: 'fake', model: 'judge-1', day: '2026-01-02' };
    });
    afterAll(() => stores.close());

    const add = (amounts: Partial<Record<Amount, number>>, more: Partial<SpendingKey> = {}) =>
      stores.spendingStore.add({ ...key, ...more }, amounts);
    const list = (query = {}) => stores.spendingStore.list(key.project_id, query);
    const shown = ({ project_id: _project, ...rest }: SpendingKey) => rest;

    it('adds up what is counted, also at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => add({ calls: 1, cost: 0.25, input_tokens: 1_000_000_000 })));
      await add({ failed_calls: 1, unpriced_calls: 2, cached_answers: 3, output_tokens: 4 });
      const sums = {
        calls: 20,
        cost: 5,
        input_tokens: 20_000_000_000,
        failed_calls: 1,
        unpriced_calls: 2,
        cached_answers: 3,
        output_tokens: 4,
      };
      expect(await list()).toStrictEqual([{ ...shown(key), ...NOTHING, ...sums }]);
    });

    it('tells days, models, versions, scorers and runs apart, and finds them by these', async () => {
      await add({ cost: 1 });
      await add({ cost: 2 }, { day: '2026-01-03' });
      await add({ cost: 4 }, { model: 'judge-2', scorer_version_id: randomUUID() });
      await add({ cost: 8 }, { scorer_id: randomUUID() });
      await add({ cost: 16 }, { run_id: randomUUID() });
      expect((await list()).map(({ cost }) => cost).toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8, 16]);
      expect((await list())[0]).toMatchObject({ day: '2026-01-03', cost: 2 });
      const cost = async (query: object) => (await list(query)).reduce((sum, one) => sum + one.cost, 0);
      expect(await cost({ run_id: key.run_id })).toBe(15);
      expect(await cost({ scorer_id: key.scorer_id })).toBe(23);
      expect(await cost({ from: '2026-01-03' })).toBe(2);
      expect(await cost({ until: '2026-01-02' })).toBe(29);
      expect(await stores.spendingStore.spentOn(key)).toBe(5);
      expect(await stores.spendingStore.spentOn({ ...key, day: '2026-01-04' })).toBe(0);
    });

    it('loses it with the run', async () => {
      await add({ calls: 1 });
      await stores.traceStore.removeAll(key.project_id, key.run_id);
      expect(await list()).toEqual([]);
    });
  });
}
