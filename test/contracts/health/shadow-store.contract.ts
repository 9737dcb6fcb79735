import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShadowStore } from '../../../core/scorers/shadow/shadow-store.ts';
import type { ShadowTrial } from '../../../core/scorers/shadow/shadow-trial.ts';
import type { NewScore } from '../../../core/scores/score.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

export interface ShadowStores extends RecordStores {
  readonly shadowStore: ShadowStore;
  readonly shadowScoreStore: ScoreStore;
}

/** The stores are opened once; every test works in a run of its own. */
export function shadowStoreContract(adapter: string, open: () => Promise<ShadowStores>): void {
  describe(`ShadowStore, ${adapter}`, () => {
    let stores: ShadowStores;
    let run: RunKey;
    let records: LogRecord[];
    let trial: ShadowTrial;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      records = [trace(run), trace(run), trace(run)];
      await write(stores, records);
      const by = { started_by: randomUUID(), started_at: '2026-01-02T03:04:05.678901Z' };
      trial = { ...run, scorer_id: randomUUID(), scorer_version_id: randomUUID(), sample_rate: 0.1, ...by };
    });
    afterAll(() => stores.close());

    const score = (record: LogRecord, { scorer_id, scorer_version_id } = trial): NewScore => ({
      ...run,
      record_id: record.id,
      scorer_id,
      scorer_version_id,
      metric_name: 'm',
      status_type: 'success',
      value: true,
      explanation: null,
      message: null,
      scored_at: '2026-01-02T03:04:05.678Z',
      effort: null,
      judged: null,
    });
    const scored = () => stores.shadowStore.scoredIds(trial, undefined, 10);

    it('keeps one trial for each scorer of a run', async () => {
      const { shadowStore } = stores;
      const [again, other] = [
        { ...trial, sample_rate: 1, started_by: null },
        { ...trial, scorer_id: randomUUID() },
      ];
      for (const one of [trial, again, other]) await shadowStore.put(one);
      expect(await shadowStore.find(run.project_id, run.run_id, trial.scorer_id)).toStrictEqual(again);
      expect(await shadowStore.list(run.project_id, run.run_id)).toHaveLength(2);
      expect(await shadowStore.list(run.project_id, randomUUID())).toEqual([]);
      expect(await shadowStore.find(randomUUID(), run.run_id, trial.scorer_id)).toBeUndefined();
    });

    it('names the records that a candidate has scored, page by page', async () => {
      const { shadowStore, shadowScoreStore } = stores;
      const another = { ...trial, scorer_version_id: randomUUID() };
      await shadowScoreStore.insert([...records.map((one) => score(one)), score(records[0]!, another)]);
      const ids = records.map(({ id }) => id).toSorted();
      expect(await scored()).toEqual(ids);
      expect(await shadowStore.scoredIds(trial, undefined, 2)).toEqual(ids.slice(0, 2));
      expect(await shadowStore.scoredIds(trial, ids[1], 2)).toEqual(ids.slice(2));
    });

    it('forgets what was said by a candidate that is replaced, and of a trial that ends', async () => {
      const { shadowStore, shadowScoreStore } = stores;
      await shadowStore.put(trial);
      await shadowScoreStore.insert(records.map((one) => score(one)));
      await shadowStore.put({ ...trial, sample_rate: 0.5 });
      expect(await scored()).toHaveLength(3);
      await shadowStore.put({ ...trial, scorer_version_id: randomUUID() });
      expect(await scored()).toEqual([]);
      await shadowScoreStore.insert([score(records[0]!)]);
      expect(await shadowStore.remove(run.project_id, run.run_id, trial.scorer_id)).toBe(true);
      expect(await shadowStore.remove(run.project_id, run.run_id, trial.scorer_id)).toBe(false);
      expect(await scored()).toEqual([]);
    });

    it('says nothing of records that are removed, and has no trials in a run that is', async () => {
      const { shadowStore, shadowScoreStore } = stores;
      await shadowStore.put(trial);
      await shadowScoreStore.insert(records.map((one) => score(one)));
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [records[0]!.id]);
      const ids = records.map(({ id }) => id);
      expect(await shadowScoreStore.list(run.project_id, run.run_id, ids)).toHaveLength(2);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await scored()).toEqual([]);
      expect(await shadowStore.list(run.project_id, run.run_id)).toEqual([]);
    });

    it('keeps what candidates say apart from what scorers do', async () => {
      await stores.shadowScoreStore.insert([score(records[0]!)]);
      expect(await stores.scoreStore.list(run.project_id, run.run_id, [records[0]!.id])).toEqual([]);
    });
  });
}
