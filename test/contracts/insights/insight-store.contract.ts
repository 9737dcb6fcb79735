import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../../core/insights/insight.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NASTY = 'NUL \0 half \ud83e private \uf8ff';
const at = (minute: number) => `2026-01-02T03:0${minute}:00.000Z`;
const ALL = { offset: 0, limit: 100 };

const finding = (key: string, more: Partial<Finding> = {}): Finding => ({
  key,
  kind: 'tool_loop',
  title: NASTY,
  observation: 'o',
  details: 'd',
  suggested_action: 's',
  priority_category: 'warning',
  occurrences: 3,
  records: [{ record_id: randomUUID(), trace_id: randomUUID(), type: 'tool', name: NASTY }],
  ...more,
});

/** The stores are opened once; every test works in a run of its own. */
export function insightStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`InsightStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const record = (id: string, found: Finding, minute: number) =>
      stores.insightStore.record(run.project_id, run.run_id, id, found, at(minute));
    const list = (status?: 'open' | 'dismissed', slice = ALL) =>
      stores.insightStore.list(run.project_id, run.run_id, status, slice);

    it('keeps settings of each run', async () => {
      const { project_id, run_id } = run;
      expect(await stores.insightStore.findSettings(project_id, run_id)).toBeUndefined();
      await stores.insightStore.setSettings(project_id, run_id, { enabled: true, start_time: at(1) });
      expect(await stores.insightStore.findSettings(project_id, run_id)).toEqual({ enabled: true, start_time: at(1) });
      await stores.insightStore.setSettings(project_id, run_id, { enabled: false, start_time: null });
      expect(await stores.insightStore.findSettings(project_id, run_id)).toEqual({ enabled: false, start_time: null });
      expect(await stores.insightStore.findSettings(randomUUID(), run_id)).toBeUndefined();
    });

    it('knows what is found again, with its status and when it was first seen', async () => {
      const id = randomUUID();
      const { key, ...first } = finding(NASTY);
      await record(id, { key, ...first }, 1);
      const known = { id, run_id: run.run_id, status: 'open', priority: 2, first_seen_at: at(1) };
      expect(await list()).toEqual([{ ...first, ...known, last_seen_at: at(1) }]);
      expect(await stores.insightStore.setStatus(run.project_id, run.run_id, id, 'dismissed')).toMatchObject({
        id,
        status: 'dismissed',
      });
      const { key: _, ...again } = finding(key, { occurrences: 5, priority_category: 'error' });
      await record(randomUUID(), { key, ...again }, 2);
      expect(await list()).toEqual([{ ...again, ...known, status: 'dismissed', priority: 1, last_seen_at: at(2) }]);
    });

    it('lists the most pressing first, then those seen last, by status', async () => {
      const [info, old, young] = [randomUUID(), randomUUID(), randomUUID()];
      await record(info, finding('a', { priority_category: 'info' }), 3);
      await record(old, finding('b'), 1);
      await record(young, finding('c'), 2);
      const ids = async (...given: Parameters<typeof list>) => (await list(...given)).map((one) => one.id);
      expect(await ids()).toEqual([young, old, info]);
      expect(await ids(undefined, { offset: 1, limit: 1 })).toEqual([old]);
      await stores.insightStore.setStatus(run.project_id, run.run_id, old, 'dismissed');
      expect(await ids('open')).toEqual([young, info]);
      expect(await ids('dismissed')).toEqual([old]);
    });

    it('keeps runs and projects apart, and writes nothing for a run that is gone', async () => {
      const id = randomUUID();
      await record(id, finding('a'), 1);
      const other = await newRun(stores, run.project_id);
      expect(await stores.insightStore.list(run.project_id, other.run_id, undefined, ALL)).toEqual([]);
      expect(await stores.insightStore.setStatus(run.project_id, other.run_id, id, 'dismissed')).toBeUndefined();
      expect(await stores.insightStore.find(randomUUID(), run.run_id, id)).toBeUndefined();
      const gone = randomUUID();
      await stores.insightStore.record(run.project_id, gone, randomUUID(), finding('a'), at(1));
      expect(await stores.insightStore.list(run.project_id, gone, undefined, ALL)).toEqual([]);
    });
  });
}
