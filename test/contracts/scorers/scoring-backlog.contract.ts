import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Transactions } from '../../../core/kernel/ports.ts';
import { Deferred } from '../../../core/kernel/work-queue.ts';
import type { ScoringBacklog } from '../../../core/scorers/scoring/scoring-backlog.ts';
import type { ScoringJob, ScoringQueue } from '../../../core/scorers/scoring/scoring-queue.ts';
import { eventually } from '../../setup/timing.ts';

export interface BacklogStores {
  readonly scoringBacklog: ScoringBacklog;
  readonly transactions: Transactions;
  /** Empty, and nobody works on them yet. */
  openQueues(): Promise<{ readonly queues: readonly [ScoringQueue, ScoringQueue]; close(): Promise<void> }>;
  close(): Promise<void>;
}

export function scoringBacklogContract(adapter: string, open: () => Promise<BacklogStores>): void {
  describe(`ScoringBacklog, ${adapter}`, () => {
    let stores: BacklogStores;
    let opened: Awaited<ReturnType<BacklogStores['openQueues']>>;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      opened = await stores.openQueues();
    });
    afterEach(() => opened.close());
    afterAll(() => stores.close());

    const [project_id, run_id] = [randomUUID(), randomUUID()];
    const job = (of: Partial<ScoringJob> = {}): ScoringJob => ({ project_id, run_id, trace_ids: [randomUUID()], ...of });
    const ids = (jobs: readonly ScoringJob[]) => jobs.flatMap(({ trace_ids }) => trace_ids).sort();

    /** Puts jobs into both queues. */
    async function put(...jobs: ScoringJob[]): Promise<void> {
      for (const one of jobs) for (const queue of opened.queues) await queue.put(one);
    }
    /** That the queues hand out these jobs and no others. */
    async function expectLeft(...jobs: ScoringJob[]): Promise<void> {
      for (const queue of opened.queues) {
        const seen: ScoringJob[] = [];
        const handle = async (one: ScoringJob) => void seen.push(one);
        await queue.work(handle, async () => {});
        await eventually(async () => {
          expect(ids(seen)).toEqual(ids(jobs));
          expect(await queue.depth()).toBe(0);
        });
      }
    }

    it('removes all jobs of a project from all queues, and none of another project', async () => {
      const others = [job({ project_id: randomUUID() }), job({ project_id: randomUUID(), run_id: randomUUID() })];
      await put(job(), job({ run_id: randomUUID() }), job({ scorer_ids: [randomUUID()] }), ...others);
      await stores.scoringBacklog.removeOfProject(project_id);
      await expectLeft(...others);
    });

    it('removes all jobs of runs, and none of other runs or of a run with the same id in another project', async () => {
      const [second, kept] = [randomUUID(), randomUUID()];
      const others = [job({ run_id: kept }), job({ project_id: randomUUID() })];
      await put(job(), job({ scorer_ids: [randomUUID()] }), job({ run_id: second }), ...others);
      await stores.scoringBacklog.removeOfRuns([
        { project_id, run_id },
        { project_id, run_id: second },
      ]);
      await expectLeft(...others);
    });

    it('removes jobs that are for none but the given scorers, and not those that are for all of the run', async () => {
      const [gone, alsoGone, stays] = [randomUUID(), randomUUID(), randomUUID()];
      const others = [job(), job({ scorer_ids: [stays] }), job({ scorer_ids: [gone, stays] })];
      const elsewhere = job({ run_id: randomUUID(), scorer_ids: [gone] });
      await put(job({ scorer_ids: [gone] }), job({ scorer_ids: [alsoGone, gone] }), ...others, elsewhere);
      await stores.scoringBacklog.removeOfRuns([{ project_id, run_id, scorer_ids: [gone, alsoGone] }]);
      await expectLeft(...others, elsewhere);
    });

    it('keeps the jobs when the transaction that removes them fails, and until it is committed', async () => {
      const jobs = [job(), job({ scorer_ids: [randomUUID()] })];
      await put(...jobs);
      const failing = stores.transactions.run(async () => {
        await stores.scoringBacklog.removeOfProject(project_id);
        await stores.scoringBacklog.removeOfRuns([{ project_id, run_id }]);
        throw new Error('the audit entry failed');
      });
      await expect(failing).rejects.toThrow('the audit entry failed');
      await expectLeft(...jobs);
    });

    it('removes what a job has handed back for later', async () => {
      const [queue] = opened.queues;
      const [other, deferred] = [job({ project_id: randomUUID() }), job()];
      const seen: string[] = [];
      const handle = async (one: ScoringJob) => {
        seen.push(...one.trace_ids);
        if (one.project_id === project_id) throw new Deferred(one, 600_000, 'the provider is away');
      };
      await queue.put(deferred);
      await queue.work(handle, async () => {});
      await eventually(() => expect(seen).toEqual(deferred.trace_ids));
      // It is put back before the job under way ends.
      await eventually(async () => expect(await queue.depth()).toBe(1));
      await eventually(async () => {
        await stores.scoringBacklog.removeOfProject(project_id);
        expect(await queue.depth()).toBe(0);
      });
      await queue.put(other);
      await eventually(() => expect(seen).toEqual([...deferred.trace_ids, ...other.trace_ids]));
    });

    it('leaves a job under way alone', async () => {
      const [queue] = opened.queues;
      const gate = Promise.withResolvers<void>();
      const [begun, ended]: [string[], string[]] = [[], []];
      await queue.put(job());
      const handle = async ({ trace_ids }: ScoringJob) => {
        begun.push(...trace_ids);
        await gate.promise;
        ended.push(...trace_ids);
      };
      await queue.work(handle, async () => expect.unreachable('the job is not given up'));
      await eventually(() => expect(begun).toHaveLength(1));
      await stores.scoringBacklog.removeOfProject(project_id);
      gate.resolve();
      await eventually(() => expect(ended).toEqual(begun));
      await eventually(async () => expect(await queue.depth()).toBe(0));
    });

    it('takes it as no error that there is nothing to remove', async () => {
      await stores.scoringBacklog.removeOfProject(randomUUID());
      await stores.scoringBacklog.removeOfRuns([]);
      await stores.scoringBacklog.removeOfRuns([{ project_id, run_id, scorer_ids: [] }]);
    });
  });
}
