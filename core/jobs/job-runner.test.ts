import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryJobStore } from '../../adapters/memory/jobs/memory-job-store.ts';
import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { silent } from '../../test/setup/silent.ts';
import { AppError } from '../kernel/errors.ts';
import { Deferred } from '../kernel/work-queue.ts';
import type { JobHandler } from './job-handler.ts';
import { JobRunner } from './job-runner.ts';
import { Jobs } from './jobs.ts';

const clock = () => new Date();
const store = new MemoryJobStore({ database: new MemoryDatabase(), enqueue: () => {} });
const jobs = new Jobs({ jobStore: store, clock, newId: randomUUID });
let work: JobHandler['run'];
const handler: JobHandler = { job_name: 'a_job', run: (...given) => work(...given) };
const runner = new JobRunner({ jobStore: store, jobHandlers: [handler], clock, log: silent });
const ongoing = new AbortController().signal;

describe('JobRunner', () => {
  let job_id: string;
  beforeEach(async () => {
    const asked = { project_id: null, run_id: null, created_by: randomUUID(), request_data: {} };
    job_id = (await jobs.start({ ...asked, job_name: 'a_job' })).id;
  });

  it('does the work and keeps its result', async () => {
    work = async (_job, context) => {
      await context.report({ steps_completed: 1, steps_total: 1, message: 'one' });
      return { rows: 1 };
    };
    await runner.run({ job_id }, ongoing);
    expect(await store.find(job_id)).toMatchObject({ status: 'completed', result: { rows: 1 }, progress_message: 'one' });
  });

  it('ends a job that cannot succeed at once, with the reason', async () => {
    work = () => Promise.reject(new AppError('not_found', 'dataset_not_found', 'the dataset is gone'));
    await runner.run({ job_id }, ongoing);
    expect(await store.find(job_id)).toMatchObject({ status: 'failed', error_message: 'the dataset is gone' });
  });

  it('has a job that may succeed later handed out again, and goes on from what was reported', async () => {
    const seen: unknown[] = [];
    work = async (job, context) => {
      seen.push(job.state);
      if (job.state !== null) return 'done';
      await context.report({ steps_completed: 1, steps_total: 2, state: { at: 1 } });
      throw new Error('not this time');
    };
    await expect(runner.run({ job_id }, ongoing)).rejects.toThrow('not this time');
    expect(await store.find(job_id)).toMatchObject({ status: 'processing', retries: 0 });
    await runner.run({ job_id }, ongoing);
    expect(seen).toEqual([null, { at: 1 }]);
    expect(await store.find(job_id)).toMatchObject({ status: 'completed', retries: 1 });
  });

  it('hands a job back that is not to be done now, and says why', async () => {
    work = async (_job, context) => {
      await context.report({ steps_completed: 3, steps_total: 9, message: '3 of 9' });
      throw new Deferred(undefined, 12_000, 'the provider is not called for another 12 s');
    };
    const handedBack = { name: 'Deferred', delayMs: 12_000, job: { job_id, owner_id: 'somebody' } };
    await expect(runner.run({ job_id, owner_id: 'somebody' }, ongoing)).rejects.toMatchObject(handedBack);
    const why = { status: 'processing', steps_completed: 3, progress_message: 'the provider is not called for another 12 s' };
    expect(await store.find(job_id)).toMatchObject(why);
  });

  it('leaves a job that a stop interrupts to be begun again', async () => {
    const stop = new AbortController();
    work = async (_job, _desk, signal) => {
      stop.abort(new Error('stopped'));
      signal.throwIfAborted();
      return null;
    };
    await expect(runner.run({ job_id }, stop.signal)).rejects.toThrow('stopped');
    expect(await store.find(job_id)).toMatchObject({ status: 'processing' });
  });

  it('lets go of a job that was cancelled meanwhile', async () => {
    work = async (_job, context) => {
      await store.end(job_id, { status: 'cancelled', error_message: 'stopped' }, clock().toISOString());
      await context.report({ steps_completed: 1, steps_total: 1 });
      return 'too late';
    };
    await runner.run({ job_id }, ongoing);
    expect(await store.find(job_id)).toMatchObject({ status: 'cancelled', result: null });
  });

  it('does not begin a job that has ended', async () => {
    await runner.giveUp({ job_id });
    work = () => expect.unreachable('it has ended');
    await runner.run({ job_id }, ongoing);
    expect(await store.find(job_id)).toMatchObject({ status: 'failed', error_message: expect.stringMatching('given up') });
  });

  it('fails a job that nothing here does', async () => {
    const lost = await jobs.start({
      job_name: 'lost',
      project_id: null,
      run_id: null,
      created_by: randomUUID(),
      request_data: {},
    });
    await runner.run({ job_id: lost.id }, ongoing);
    expect(await store.find(lost.id)).toMatchObject({ status: 'failed', error_message: expect.stringMatching('lost') });
  });
});
