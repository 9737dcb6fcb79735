import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import type { RuleProgress } from '../../../core/datasets/rules/dataset-rule-store.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

const MOST = 3;
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString();

export function datasetRuleStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`DatasetRuleStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const toRule = (facts: Partial<DatasetRule> = {}): DatasetRule => ({
      ...{ id: randomUUID(), ...run, dataset_id: randomUUID(), name: 'bad answers', record_type: 'trace' },
      ...{ filters: [{ type: 'text', column_id: 'name', operator: 'eq', value: 'a\0\ud800', case_sensitive: true }] },
      ...{ filter_tree: null, sample_rate: 0.5, columns: { wrong: { field: 'output' } }, max_rows_per_day: 10, batch_minutes: 5 },
      ...{ is_enabled: true, paused_reason: null, paused_message: null, paused_at: null },
      ...{ created_by: randomUUID(), enabled_by: randomUUID(), created_at: at(0), updated_at: at(0) },
      ...{ last_run_at: null, last_added_at: null, last_version_index: null, num_added: 0, num_left_out: 0, added_today: 0 },
      ...facts,
    });
    const put = async (facts: Partial<DatasetRule> = {}, due = at(5)): Promise<DatasetRule> => {
      const rule = toRule(facts);
      expect(await stores.datasetRuleStore.insert(rule, due, MOST)).toBe(true);
      return rule;
    };
    const progress = (facts: Partial<RuleProgress> = {}): RuleProgress => ({
      ...{ added: 2, left_out: 1, added_today: 2, version_index: 7, at: at(6), due_at: at(11), ...facts },
    });
    const waiting = async (rule: DatasetRule, limit = 100) => {
      await stores.settle();
      return stores.datasetRuleStore.listChanges(rule, limit);
    };
    const idsOf = async (rule: DatasetRule) => (await waiting(rule)).flatMap(({ record_ids }) => record_ids);
    const log = async () => {
      const record = trace(run);
      await write(stores, [record]);
      return record;
    };

    it('keeps rules by project, run and dataset, as many of a run as there may be', async () => {
      const { datasetRuleStore: store } = stores;
      const [first, second] = [await put(), await put({ created_at: at(1), filter_tree: { and: [] }, columns: null })];
      const { project_id, run_id } = run;
      expect(await store.list({ project_id })).toStrictEqual([first, second]);
      expect(await store.list({ project_id, run_id: randomUUID() })).toEqual([]);
      expect(await store.list({ project_id, run_id, dataset_id: second.dataset_id })).toStrictEqual([second]);
      expect(await store.find(project_id, first.id)).toStrictEqual(first);
      expect(await store.find(randomUUID(), first.id)).toBeUndefined();
      await put();
      expect(await store.insert(toRule(), at(5), MOST)).toBe(false);
      expect(await store.remove(randomUUID(), first.id)).toBe(false);
      expect(await store.remove(project_id, first.id)).toBe(true);
      expect(await store.remove(project_id, first.id)).toBe(false);
    });

    it('has an enabled rule look at what is written, scored and rated', async () => {
      const rule = await put();
      const idle = await put({ is_enabled: false });
      const record = await log();
      expect(await idsOf(rule)).toEqual([record.id]);
      const rated = { project_id: run.project_id, run_id: run.run_id, record_id: record.id };
      const facts = { rated_by: randomUUID(), rated_at: at(1), explanation: null } as const;
      await stores.ratingStore.putFeedback({ ...rated, ...facts, name: 'helpful', feedback_type: 'like_dislike', value: false });
      expect(await idsOf(rule)).toEqual([record.id, record.id]);
      expect(await idsOf(idle)).toEqual([]);
    });

    it('takes away what was looked at together with what came of it, and not twice', async () => {
      const { datasetRuleStore: store } = stores;
      const rule = await put();
      await log();
      const [change] = await waiting(rule);
      await log();
      expect(await waiting(rule, 1)).toHaveLength(1);
      expect(await store.finish(rule, [change!.sequence], progress())).toBe(true);
      expect(await store.finish(rule, [change!.sequence], progress())).toBe(false);
      expect(await waiting(rule)).toHaveLength(1);
      const told = {
        num_added: 2,
        num_left_out: 1,
        added_today: 2,
        last_run_at: at(6),
        last_added_at: at(6),
        last_version_index: 7,
      };
      expect(await store.find(run.project_id, rule.id)).toStrictEqual({ ...rule, ...told });
      const nothing = { added: 0, left_out: 0, version_index: null, at: at(12) };
      expect(await store.finish(rule, [], progress(nothing))).toBe(true);
      expect(await store.find(run.project_id, rule.id)).toStrictEqual({ ...rule, ...told, last_run_at: at(12) });
    });

    it('hands out a rule that is due to one alone, and again once its lease is over', async () => {
      const { datasetRuleStore: store } = stores;
      const rule = await put({}, '2020-01-01T00:00:00.000Z');
      const claim = (now: string, until: string) => store.claim(now, until);
      const both = await Promise.all([1, 2].map(() => claim('2020-01-01T00:00:01.000Z', '2020-01-01T00:00:05.000Z')));
      expect(both.filter((one) => one !== undefined)).toStrictEqual([rule]);
      expect(await claim('2020-01-01T00:00:06.000Z', '2020-01-01T00:00:09.000Z')).toStrictEqual(rule);
      await store.update(run.project_id, rule.id, { is_enabled: false, updated_at: at(1) });
      expect(await claim('2020-01-01T01:00:00.000Z', at(0))).toBeUndefined();
    });

    it('forgets what a rule had to look at when it is paused', async () => {
      const { datasetRuleStore: store } = stores;
      const rule = await put();
      await log();
      expect(await waiting(rule)).toHaveLength(1);
      const paused = { is_enabled: false, paused_reason: 'user', paused_at: at(1), updated_at: at(1) } as const;
      expect(await store.update(run.project_id, rule.id, paused)).toStrictEqual({ ...rule, ...paused });
      expect(await store.update(randomUUID(), rule.id, paused)).toBeUndefined();
      await log();
      expect(await waiting(rule)).toEqual([]);
      expect(await store.finish(rule, [], progress())).toBe(false);
    });

    it('goes with its run', async () => {
      const rule = await put();
      await log();
      await stores.settle();
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await stores.datasetRuleStore.list({ project_id: run.project_id })).toEqual([]);
      expect(await waiting(rule)).toEqual([]);
    });
  });
}
