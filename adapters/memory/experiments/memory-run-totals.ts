import type { RunTotal, RunTotals } from '../../../core/experiments/run-totals.ts';
import { metricsOfRun, type ScoredRecords } from '../scorers/scored-records.ts';

export class MemoryRunTotals implements RunTotals {
  readonly #deps: ScoredRecords;

  constructor(deps: ScoredRecords) {
    this.#deps = deps;
  }

  async totals(project_id: string, run_ids: readonly string[]): Promise<RunTotal[]> {
    return (await Promise.all([...new Set(run_ids)].map((run_id) => this.#ofRun(project_id, run_id)))).flat();
  }

  async #ofRun(project_id: string, run_id: string): Promise<RunTotal[]> {
    const numbers = await metricsOfRun(this.#deps, project_id, run_id);
    return [...Map.groupBy(numbers, ({ name, type }) => JSON.stringify([name, type])).values()].map((group) => {
      const { name, type } = group[0]!;
      return { run_id, name, type, sum: group.reduce((sum, { value }) => sum + value, 0), count: group.length };
    });
  }
}
