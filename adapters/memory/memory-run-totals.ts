import type { RunTotal, RunTotals } from '../../core/experiments/run-totals.ts';
import type { Score } from '../../core/scorers/score.ts';
import type { LogRecord } from '../../core/traces/record.ts';
import { numbersOf } from '../../core/trends/record-numbers.ts';

export interface MemoryRunTotalsDeps {
  recordsOf(project_id: string, run_id: string): readonly LogRecord[];
  scoresOf(project_id: string, run_id: string, record_ids: readonly string[]): Promise<readonly Score[]>;
}

export class MemoryRunTotals implements RunTotals {
  readonly #deps: MemoryRunTotalsDeps;

  constructor(deps: MemoryRunTotalsDeps) {
    this.#deps = deps;
  }

  async totals(project_id: string, run_ids: readonly string[]): Promise<RunTotal[]> {
    return (await Promise.all([...new Set(run_ids)].map((run_id) => this.#ofRun(project_id, run_id)))).flat();
  }

  async #ofRun(project_id: string, run_id: string): Promise<RunTotal[]> {
    const records = this.#deps.recordsOf(project_id, run_id);
    const scores = await this.#deps.scoresOf(
      project_id,
      run_id,
      records.map(({ id }) => id),
    );
    const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
    const numbers = records.flatMap((record) => numbersOf(record, byRecord.get(record.id) ?? []));
    return [...Map.groupBy(numbers, ({ name, type }) => JSON.stringify([name, type])).values()].map((group) => {
      const { name, type } = group[0]!;
      return { run_id, name, type, sum: group.reduce((sum, { value }) => sum + value, 0), count: group.length };
    });
  }
}
