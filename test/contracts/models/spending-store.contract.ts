import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Amount, SpendingKey } from '../../../core/models/spending.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NOTHING = { calls: 0, failed_calls: 0, unpriced_calls: 0, cached_answers: 0, input_tokens: 0, output_tokens: 0, cost: 0 };

export function spendingStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`SpendingStore, ${adapter}`, () => {
    let stores: RecordStores;
    let key: SpendingKey;
    let run: RunKey;
    let project_id: string;
    let scorer_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      scorer_id = randomUUID();
      run = await newRun(stores);
      project_id = run.project_id;
      const whose = { user_id: randomUUID(), purpose: 'judge', scorer_id, scorer_version_id: randomUUID() } as const;
      key = { ...run, ...whose, provider: 'fake', model: 'judge-1', day: '2026-01-02' };
    });
    afterAll(() => stores.close());

    const add = (amounts: Partial<Record<Amount, number>>, more: Partial<SpendingKey> = {}) =>
      stores.spendingStore.add({ ...key, ...more }, amounts);
    const list = (query = {}) => stores.spendingStore.list(project_id, query);
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

    it('adds up what a project, and all of them, cost on a day and in its month until then', async () => {
      const all = await stores.spendingStore.sumCosts(null, '2026-01-31');
      await add({ cost: 1 }, { day: '2025-12-31' });
      await add({ cost: 2 }, { day: '2026-01-01' });
      await add({ cost: 4 }, { day: '2026-01-31' });
      await add(
        { cost: 8 },
        { day: '2026-01-31', run_id: null, scorer_id: null, scorer_version_id: null, purpose: 'scorer_trial' },
      );
      await add({ cost: 16 }, { day: '2026-02-01' });
      await add({ cost: 32 }, { day: '2026-01-31', project_id: (await newRun(stores)).project_id });
      await add({ cost: 64 }, { day: '2026-01-31', project_id: null, run_id: null, scorer_id: null, scorer_version_id: null });
      expect(await stores.spendingStore.sumCosts(project_id, '2026-01-31')).toEqual({ today: 12, this_month: 14 });
      expect(await stores.spendingStore.sumCosts(project_id, '2026-01-01')).toEqual({ today: 2, this_month: 2 });
      const more = await stores.spendingStore.sumCosts(null, '2026-01-31');
      expect([more.today - all.today, more.this_month - all.this_month]).toEqual([108, 110]);
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
      expect(await cost({ run_id: run.run_id })).toBe(15);
      expect(await cost({ scorer_id })).toBe(23);
      expect(await cost({ from: '2026-01-03' })).toBe(2);
      expect(await cost({ until: '2026-01-02' })).toBe(29);
      expect(await stores.spendingStore.sumCost({ ...run, scorer_id, day: key.day })).toBe(5);
      expect(await stores.spendingStore.sumCost({ ...run, scorer_id, day: '2026-01-04' })).toBe(0);
    });

    it('tells purposes and payers apart, and sums what a scorer spent over all who paid', async () => {
      const user_id = randomUUID();
      await add({ cost: 1 });
      await add({ cost: 2 }, { user_id });
      await add({ cost: 4 }, { user_id: null });
      await add({ cost: 8 }, { purpose: 'experiment', scorer_id: null, scorer_version_id: null });
      expect((await list()).map(({ cost }) => cost).toSorted((a, b) => a - b)).toEqual([1, 2, 4, 8]);
      expect((await list()).find(({ cost }) => cost === 4)).toMatchObject({ user_id: null, purpose: 'judge', scorer_id });
      const own = { purpose: 'experiment', scorer_id: null, scorer_version_id: null, run_id: run.run_id };
      expect((await list()).find(({ cost }) => cost === 8)).toMatchObject(own);
      expect(await stores.spendingStore.sumCost({ ...run, scorer_id, day: key.day })).toBe(7);
    });

    it('finds what a user spent outside of projects, by days, and nothing of others or of projects', async () => {
      const outside = { project_id: null, run_id: null, scorer_id: null, scorer_version_id: null };
      const listOwn = (query = {}, user_id = key.user_id!) => stores.spendingStore.listOutsideProjects(user_id, query);
      await add({ cost: 1 });
      await add({ cost: 2 }, { ...outside, purpose: 'scorer_autogen' });
      await add({ cost: 4 }, { ...outside, purpose: 'synthetic_rows', day: '2026-01-03' });
      await add({ cost: 8 }, { ...outside, purpose: 'scorer_autogen', user_id: randomUUID() });
      const { project_id: _none, ...shownOutside } = outside;
      expect(await listOwn()).toMatchObject([
        { ...shownOutside, user_id: key.user_id, purpose: 'synthetic_rows', cost: 4, day: '2026-01-03' },
        { ...shownOutside, user_id: key.user_id, purpose: 'scorer_autogen', cost: 2, day: '2026-01-02' },
      ]);
      expect((await listOwn({ until: '2026-01-02' })).map(({ cost }) => cost)).toEqual([2]);
      expect((await listOwn({ from: '2026-01-03' })).map(({ cost }) => cost)).toEqual([4]);
      expect(await listOwn({}, randomUUID())).toEqual([]);
      expect((await list()).map(({ cost }) => cost)).toEqual([1]);
    });

    it('loses it with the run', async () => {
      await add({ calls: 1 });
      await stores.traceStore.removeAll(project_id, run.run_id);
      expect(await list()).toEqual([]);
    });
  });
}
