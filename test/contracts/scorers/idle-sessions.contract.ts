import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

export function idleSessionsContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`IdleSessions, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const note = (...ids: string[]) => stores.idleSessions.note(run.project_id, run.run_id, ids);

    it('asks for the scoring of what was noted long enough ago, once', async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      await note(one, two);
      await note(one);
      await note();
      expect((await stores.idleSessions.release(3_600)).released).toBe(0);
      await stores.idleSessions.release(-1);
      await stores.idleSessions.release(-1);
      const jobs = await stores.jobs(run);
      expect(jobs).toEqual([{ ...run, trace_ids: [], session_ids: expect.any(Array) }]);
      expect(jobs[0]!.session_ids!.toSorted()).toEqual([one, two].toSorted());
    });

    it('takes what is noted again as new', async () => {
      const id = randomUUID();
      await note(id);
      await stores.idleSessions.release(-1);
      await note(id);
      await stores.idleSessions.release(-1);
      expect(await stores.jobs(run)).toHaveLength(2);
    });

    it('forgets what belonged to a run that is removed', async () => {
      await note(randomUUID());
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      await stores.idleSessions.release(-1);
      expect(await stores.jobs(run)).toEqual([]);
    });
  });
}
