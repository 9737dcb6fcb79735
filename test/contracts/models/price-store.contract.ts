import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelPrice } from '../../../core/plugin-sdk/index.ts';
import { newRun, type RecordStores } from '../traces/record-stores.ts';

const price = (model: string, more: Partial<ModelPrice> = {}): ModelPrice => ({
  ...{ model, from: '2026-01-01', input: 1, output: 2 },
  ...more,
});

export function priceStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`PriceStore, ${adapter}`, () => {
    let stores: RecordStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());

    it('keeps prices of projects and of the organisation apart, in their order, each list replaced as a whole', async () => {
      const [one, other] = [await newRun(stores), await newRun(stores)];
      expect(await stores.priceStore.list(one.project_id)).toEqual([]);
      const prices = [price('b', { cached_input: 0.25 }), price('a', { until: '2026-02-01' })];
      await stores.priceStore.replace(one.project_id, prices);
      await stores.priceStore.replace(null, [price('common')]);
      expect(await stores.priceStore.list(one.project_id)).toStrictEqual(prices);
      expect(await stores.priceStore.list(other.project_id)).toEqual([]);
      expect(await stores.priceStore.list(null)).toStrictEqual([price('common')]);
      await stores.priceStore.replace(one.project_id, [price('c')]);
      expect(await stores.priceStore.list(one.project_id)).toStrictEqual([price('c')]);
      await stores.priceStore.replace(null, []);
    });

    it('keeps the rule for models without a price beside the prices, whichever is set first', async () => {
      const [one, other] = [await newRun(stores), await newRun(stores)];
      expect(await stores.priceStore.forbidsUnpriced(one.project_id)).toBe(false);
      await stores.priceStore.setUnpriced(one.project_id, true);
      expect(await stores.priceStore.list(one.project_id)).toEqual([]);
      await stores.priceStore.replace(one.project_id, [price('a')]);
      expect(await stores.priceStore.forbidsUnpriced(one.project_id)).toBe(true);
      await stores.priceStore.replace(other.project_id, [price('b')]);
      await stores.priceStore.setUnpriced(null, true);
      expect(await stores.priceStore.forbidsUnpriced(other.project_id)).toBe(false);
      expect(await stores.priceStore.forbidsUnpriced(null)).toBe(true);
      await stores.priceStore.setUnpriced(other.project_id, true);
      expect(await stores.priceStore.list(other.project_id)).toStrictEqual([price('b')]);
      await stores.priceStore.setUnpriced(null, false);
      expect(await stores.priceStore.forbidsUnpriced(null)).toBe(false);
    });

    it('keeps budgets beside both, of projects and of the organisation apart', async () => {
      const [one, other] = [await newRun(stores), await newRun(stores)];
      const budget = async (project_id: string | null) => stores.priceStore.findBudget(project_id);
      expect(await budget(one.project_id)).toEqual({ daily: null, monthly: null });
      await stores.priceStore.setBudget(one.project_id, { daily: 2.5, monthly: null });
      await stores.priceStore.replace(one.project_id, [price('a')]);
      await stores.priceStore.setUnpriced(one.project_id, true);
      expect(await budget(one.project_id)).toEqual({ daily: 2.5, monthly: null });
      await stores.priceStore.setBudget(one.project_id, { daily: 0, monthly: 40 });
      expect(await budget(one.project_id)).toEqual({ daily: 0, monthly: 40 });
      expect(await stores.priceStore.list(one.project_id)).toStrictEqual([price('a')]);
      await stores.priceStore.setBudget(null, { daily: null, monthly: 100 });
      expect([await budget(other.project_id), await budget(null)]).toEqual([
        { daily: null, monthly: null },
        { daily: null, monthly: 100 },
      ]);
      await stores.priceStore.setBudget(null, { daily: null, monthly: null });
    });
  });
}
