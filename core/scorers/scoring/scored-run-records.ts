import type { RecordCounts, RunRecords } from '../../projects/run-records.ts';
import type { ScoringBacklog } from './scoring-backlog.ts';

export interface ScoredRunRecordsDeps {
  readonly traceStore: RunRecords;
  readonly scoringBacklog: ScoringBacklog;
}

/** Records of runs that go with their place in the queue of scoring, so that whoever deletes a run or a project takes both. */
export class ScoredRunRecords implements RunRecords {
  readonly #deps: ScoredRunRecordsDeps;

  constructor(deps: ScoredRunRecordsDeps) {
    this.#deps = deps;
  }

  counts(project_id: string, run_ids: readonly string[]): Promise<Map<string, RecordCounts>> {
    return this.#deps.traceStore.counts(project_id, run_ids);
  }

  async removeAll(project_id: string, run_id?: string): Promise<void> {
    const { traceStore, scoringBacklog } = this.#deps;
    if (run_id === undefined) await scoringBacklog.removeOfProject(project_id);
    else await scoringBacklog.removeOfRuns([{ project_id, run_id }]);
    await traceStore.removeAll(project_id, run_id);
  }
}
