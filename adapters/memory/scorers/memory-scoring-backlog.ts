import type { BacklogOfRun, ScoringBacklog } from '../../../core/scorers/scoring/scoring-backlog.ts';
import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { MemoryQueue } from '../memory-queue.ts';

export interface MemoryScoringBacklogDeps {
  readonly database: MemoryDatabase;
  readonly queues: readonly MemoryQueue<ScoringJob>[];
}

export class MemoryScoringBacklog implements ScoringBacklog {
  readonly #deps: MemoryScoringBacklogDeps;

  constructor(deps: MemoryScoringBacklogDeps) {
    this.#deps = deps;
  }

  async removeOfProject(project_id: string): Promise<void> {
    this.#remove((job) => job.project_id === project_id);
  }

  async removeOfRuns(runs: readonly BacklogOfRun[]): Promise<void> {
    this.#remove((job) => runs.some((run) => isOf(run, job)));
  }

  #remove(matches: (job: ScoringJob) => boolean): void {
    const { database, queues } = this.#deps;
    database.afterCommit(() => {
      for (const queue of queues) queue.discard(matches);
    });
  }
}

const isOf = ({ project_id, run_id, scorer_ids }: BacklogOfRun, job: ScoringJob): boolean =>
  job.project_id === project_id &&
  job.run_id === run_id &&
  (!scorer_ids || (job.scorer_ids?.every((id) => scorer_ids.includes(id)) ?? false));
