import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScoreCalls } from '../../../core/scorers/evidence/judge-call-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { judgeCall as call } from '../../fixtures/judge-call.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';

/** The stores are opened once; every test works in a run of its own. */
export function judgeCallStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`JudgeCallStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    let record: LogRecord;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
      record = trace(run);
      await write(stores, [record]);
    });
    afterAll(() => stores.close());

    const ofRecord = (facts: Partial<ScoreCalls> = {}): ScoreCalls => ({
      ...run,
      record_id: record.id,
      scorer_version_id: randomUUID(),
      of: 'record',
      judged: 'a state',
      calls: [call()],
      kept_at: '2026-01-02T03:04:06.000Z',
      ...facts,
    });

    it('gives back what it keeps, character by character, by version and level', async () => {
      const first = ofRecord({ calls: [call(), call({ judge: 1, answer: null, failure: 'no answer' })] });
      const ofSession = ofRecord({ of: 'session', scorer_version_id: first.scorer_version_id, judged: null });
      await stores.judgeCallStore.keep([first, ofSession]);
      expect(await stores.judgeCallStore.find(first)).toEqual(first);
      expect(await stores.judgeCallStore.find(ofSession)).toEqual(ofSession);
      expect(await stores.judgeCallStore.find({ ...first, scorer_version_id: randomUUID() })).toBeUndefined();
      expect(await stores.judgeCallStore.find({ ...first, run_id: randomUUID() })).toBeUndefined();
    });

    it('keeps the newest calls of a score', async () => {
      const first = ofRecord();
      const second = { ...first, judged: 'another state', calls: [call({ answer: 'no' })], kept_at: '2026-01-03T00:00:00.000Z' };
      await stores.judgeCallStore.keep([first]);
      await stores.judgeCallStore.keep([second]);
      expect(await stores.judgeCallStore.find(first)).toEqual(second);
    });

    it('drops calls of records that are not there', async () => {
      const gone = ofRecord({ record_id: randomUUID() });
      await stores.judgeCallStore.keep([gone]);
      expect(await stores.judgeCallStore.find(gone)).toBeUndefined();
    });

    it('removes what was kept long ago, so many at once', async () => {
      const old = [1, 2, 3].map(() => ofRecord({ kept_at: '2020-01-01T00:00:00.000Z' }));
      const young = ofRecord();
      await stores.judgeCallStore.keep([...old, young]);
      const remove = () => stores.judgeCallStore.removeKeptBefore('2020-01-02T00:00:00.000Z', 2);
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0]);
      expect(await stores.judgeCallStore.find(old[0]!)).toBeUndefined();
      expect(await stores.judgeCallStore.find(young)).toEqual(young);
    });

    it('loses what belongs to records and runs that are removed', async () => {
      const other = trace(run);
      await write(stores, [other]);
      const [first, second] = [ofRecord(), ofRecord({ record_id: other.id })];
      await stores.judgeCallStore.keep([first, second]);
      await stores.recordRemoval.removeTraces(run.project_id, run.run_id, [record.id]);
      expect(await stores.judgeCallStore.find(first)).toBeUndefined();
      expect(await stores.judgeCallStore.find(second)).toEqual(second);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await stores.judgeCallStore.find(second)).toBeUndefined();
    });
  });
}
