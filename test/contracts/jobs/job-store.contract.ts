import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../core/jobs/job.ts';
import type { JobMessage, JobStore } from '../../../core/jobs/job-store.ts';
import { Jobs } from '../../../core/jobs/jobs.ts';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { Opened } from '../opened.ts';

export interface OpenedJobs extends Opened<JobStore> {
  readonly transactions: Transactions;
  /** Tickets put into the queue so far. */
  messages(): Promise<readonly JobMessage[]>;
}

const at = (second: number): string => `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`;

export function jobStoreContract(adapter: string, open: () => Promise<OpenedJobs>): void {
  describe(`JobStore, ${adapter}`, () => {
    let opened: OpenedJobs;
    let store: JobStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
      run = { project_id: randomUUID(), run_id: randomUUID() };
    });
    afterEach(() => opened.close());

    let run: { project_id: string; run_id: string };
    const started = (second = 0, facts: Partial<JobRecord> = {}): Promise<JobRecord> => {
      const jobs = new Jobs({ jobStore: store, clock: () => new Date(at(second)), newId: randomUUID });
      return jobs.start({ job_name: 'a_job', ...run, created_by: randomUUID(), request_data: { a: ['b', null] }, ...facts });
    };
    const ids = (jobs: readonly JobRecord[]): string[] => jobs.map(({ id }) => id);

    it('finds a job as it was started, hands its message out, and knows no other', async () => {
      const job = await started();
      expect(await store.find(job.id)).toStrictEqual(job);
      expect(await store.find(randomUUID())).toBeUndefined();
      expect(await opened.messages()).toContainEqual(expect.objectContaining({ job_id: job.id }));
    });

    it('starts one job of the same request at a time, however many are asked for at once', async () => {
      const jobs = new Jobs({ jobStore: store, clock: () => new Date(at(0)), newId: randomUUID });
      const asked = { job_name: 'a_job', ...run, created_by: randomUUID() };
      const [first, ...others] = await Promise.all(
        [
          { b: 1, a: [2] },
          { a: [2], b: 1 },
          { b: 1, a: [2] },
        ].map((request_data) => jobs.startOnce({ ...asked, request_data })),
      );
      expect(new Set(ids(others))).toEqual(new Set([first!.id]));
      expect((await opened.messages()).filter(({ job_id }) => job_id === first!.id)).toHaveLength(1);
      expect(ids(await store.listByRun(run.project_id, run.run_id))).toEqual([first!.id]);
      const different = await jobs.startOnce({ ...asked, request_data: { a: [3], b: 1 } });
      expect(different.id).not.toBe(first!.id);
      await store.end(first!.id, { status: 'completed', result: null }, at(1));
      const again = await jobs.startOnce({ ...asked, request_data: { b: 1, a: [2] } });
      expect(again.id).not.toBe(first!.id);
    });

    it('keeps whatever characters a job holds', async () => {
      const text = 'a\0b\ud800\uf8ff';
      const job = await started(0, { request_data: { [text]: text }, project_id: null, run_id: null });
      await store.report(job.id, { steps_completed: 1, steps_total: 2, message: text, state: { [text]: [text] } }, at(1));
      await store.end(job.id, { status: 'completed', result: text }, at(2));
      expect(await store.find(job.id)).toMatchObject({
        request_data: { [text]: text },
        state: { [text]: [text] },
        progress_message: text,
        result: text,
      });
    });

    it('lists the jobs of a run, the newest first, of any status or of one', async () => {
      const [old, recent] = [await started(0), await started(5)];
      await started(9, { run_id: randomUUID() });
      await store.begin(old.id, at(9));
      expect(ids(await store.listByRun(run.project_id, run.run_id))).toEqual([recent.id, old.id]);
      expect(ids(await store.listByRun(run.project_id, run.run_id, 'pending'))).toEqual([recent.id]);
      expect((await store.latestOfRun(run.project_id, run.run_id))?.id).toBe(old.id);
      expect(await store.latestOfRun(run.project_id, randomUUID())).toBeUndefined();
      expect(await store.listByRun(randomUUID(), run.run_id)).toEqual([]);
    });

    it('begins a job, and counts when it is begun again', async () => {
      const { id } = await started();
      expect(await store.begin(id, at(1))).toMatchObject({ status: 'processing', retries: 0, processing_started: at(1) });
      expect(await store.begin(id, at(3))).toMatchObject({ retries: 1, processing_started: at(1), updated_at: at(3) });
      expect(await store.begin(randomUUID(), at(3))).toBeUndefined();
    });

    it('keeps progress, and the state until another is reported', async () => {
      const { id } = await started();
      await store.begin(id, at(1));
      expect(await store.report(id, { steps_completed: 3, steps_total: 9, message: 'three', state: [3] }, at(2))).toBe(true);
      expect(await store.report(id, { steps_completed: 4, steps_total: 9 }, at(3))).toBe(true);
      const progress = { steps_completed: 4, steps_total: 9, progress_message: 'three', state: [3], updated_at: at(3) };
      expect(await store.find(id)).toMatchObject(progress);
    });

    it.each([
      [
        { status: 'completed', result: { rows: 3 } },
        { result: { rows: 3 }, completed_at: at(2), failed_at: null },
      ],
      [
        { status: 'failed', error_message: 'no' },
        { error_message: 'no', error_code: null, completed_at: null, failed_at: at(2) },
      ],
      [
        { status: 'failed', error_message: 'no', error_code: 'dataset_not_found' },
        { error_message: 'no', error_code: 'dataset_not_found' },
      ],
      [{ status: 'cancelled', error_message: 'stopped' }, { error_message: 'stopped' }],
    ] as const)('ends a job once and for all: %o', async (outcome, facts) => {
      const { id } = await started();
      await store.begin(id, at(1));
      await store.end(id, outcome, at(2));
      const ended = { status: outcome.status, updated_at: at(2), ...facts };
      expect(await store.find(id)).toMatchObject(ended);
      await store.end(id, { status: 'failed', error_message: 'later' }, at(3));
      expect(await store.begin(id, at(3))).toBeUndefined();
      expect(await store.report(id, { steps_completed: 9, steps_total: 9 }, at(3))).toBe(false);
      expect(await store.find(id)).toMatchObject(ended);
    });
  });
}
