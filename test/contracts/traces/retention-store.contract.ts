import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRun, type RecordStores, type RunKey, span, trace, write } from './record-stores.ts';

/** The stores are opened once; every test works in a project of its own. */
export function retentionStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`RetentionStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    it('keeps a rule for the project and one for each run', async () => {
      const { project_id, run_id } = run;
      await stores.retentionStore.setRule(project_id, null, 30);
      await stores.retentionStore.setRule(project_id, run_id, 7);
      await stores.retentionStore.setRule(project_id, run_id, 8);
      expect((await stores.retentionStore.listRules(project_id)).sort((a, b) => a.days - b.days)).toEqual([
        { project_id, run_id, days: 8 },
        { project_id, run_id: null, days: 30 },
      ]);
      expect(await stores.retentionStore.listProjects()).toContain(project_id);
    });

    it('forgets a rule, also one that it does not have', async () => {
      const { project_id, run_id } = run;
      await stores.retentionStore.setRule(project_id, null, 30);
      await stores.retentionStore.setRule(project_id, null, null);
      await stores.retentionStore.setRule(project_id, run_id, null);
      expect(await stores.retentionStore.listRules(project_id)).toEqual([]);
      expect(await stores.retentionStore.listProjects()).not.toContain(project_id);
    });

    it('counts what a removal would take: traces, what is below them, sessions that would be left empty', async () => {
      const [emptied, staying] = [randomUUID(), randomUUID()];
      const doomed = [emptied, staying].map((session_id) => trace(run, { name: 'old', session_id, has_children: true }));
      await write(stores, [...doomed, ...doomed.map((one) => span(one)), trace(run, { session_id: staying })]);
      const where = { filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'old', case_sensitive: true } } as const;
      const counts = await stores.retentionStore.preview({ ...run, level: 'trace', where });
      expect(counts).toEqual({ traces: 2, spans: 2, sessions: 1 });
      const ids = doomed.map(({ id }) => id);
      expect(await stores.recordRemoval.removeTraces(run.project_id, run.run_id, ids)).toEqual(counts);
    });
  });
}
