import { expect, it } from 'vitest';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';
import { scoringQueueContract } from '../../test/contracts/scorers/scoring-queue.contract.ts';
import { eventually } from '../../test/setup/timing.ts';
import { MemoryQueue } from './memory-queue.ts';

scoringQueueContract('memory', async () => {
  const queue = new MemoryQueue<ScoringJob>(({ project_id }) => project_id);
  return { port: queue, enqueue: async (jobs) => jobs.forEach(queue.enqueue), close: () => queue.stop(100) };
});

it('goes on with the next job when giving one up fails', async () => {
  const queue = new MemoryQueue<ScoringJob>(({ project_id }) => project_id);
  const jobs = ['first', 'second'].map((run_id) => ({ project_id: 'p', run_id, trace_ids: [] }));
  const givenUp: string[] = [];
  const reject = async () => Promise.reject(new Error('no'));
  await queue.work(reject, async ({ run_id }) => {
    givenUp.push(run_id);
    await reject();
  });
  jobs.forEach(queue.enqueue);
  await eventually(() => expect(givenUp).toEqual(['first', 'second']));
  await queue.stop(100);
});
