import type { ExperimentFacts } from '../../../core/experiments/experiment-facts.ts';
import type { ExperimentStore, RunOfDataset } from '../../../core/experiments/experiment-store.ts';
import { runNotFound } from '../../../core/projects/run.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { RunExists } from '../projects/run-exists.ts';
import type { Table } from '../table.ts';

export class MemoryExperimentStore implements ExperimentStore {
  readonly #runExists: RunExists;
  readonly #facts: Table<string, ExperimentFacts>;

  constructor({ database, runExists }: { database: MemoryDatabase; runExists: RunExists }) {
    this.#runExists = runExists;
    this.#facts = database.table();
  }

  async put(facts: ExperimentFacts): Promise<void> {
    const { project_id, run_id } = facts;
    if (!(await this.#runExists(project_id, run_id))) throw runNotFound(project_id, run_id);
    this.#facts.set(`${project_id} ${run_id}`, structuredClone(facts));
  }

  async find(project_id: string, run_id: string): Promise<ExperimentFacts | undefined> {
    const facts = this.#facts.get(`${project_id} ${run_id}`);
    return facts && (await this.#runExists(project_id, run_id)) ? structuredClone(facts) : undefined;
  }

  async list(project_id: string, run_ids: readonly string[]): Promise<ExperimentFacts[]> {
    const found = await Promise.all([...new Set(run_ids)].map((run_id) => this.find(project_id, run_id)));
    return found.filter((facts) => facts !== undefined);
  }

  async listByDatasets(project_id: string, dataset_ids: readonly string[]): Promise<RunOfDataset[]> {
    const own = [...this.#facts.values()].filter((facts) => facts.project_id === project_id);
    const found = await this.list(
      project_id,
      own.map(({ run_id }) => run_id),
    );
    return found.flatMap(({ run_id, dataset }) =>
      dataset && dataset_ids.includes(dataset.dataset_id) ? [{ run_id, dataset_id: dataset.dataset_id }] : [],
    );
  }

  async report(project_id: string, run_id: string, generated: number): Promise<void> {
    const facts = await this.find(project_id, run_id);
    if (facts) await this.put({ ...facts, generated });
  }
}
