import type { Clock } from '../../../core/kernel/ports.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { Run, RunKind } from '../../../core/projects/run.ts';
import type { RunContext, RunDirectory } from '../../../core/projects/run-context.ts';
import { type MetricSettings, NO_METRICS } from '../../../core/scores/metric-settings.ts';
import type { MetricSettingsStore } from '../../../core/scores/metric-settings-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

const KINDS: readonly RunKind[] = ['log_stream', 'experiment', 'metrics_testing'];

/** Metric settings beside the runs of the memory project store, and with them what ingest asks of a run. */
export class MemoryMetricSettingsStore implements MetricSettingsStore, RunDirectory {
  readonly #projectStore: ProjectStore;
  readonly #clock: Clock;
  readonly #settings: Table<string, { readonly settings: MetricSettings; readonly revision: number }>;

  constructor({ database, projectStore, clock }: { database: MemoryDatabase; projectStore: ProjectStore; clock: Clock }) {
    this.#projectStore = projectStore;
    this.#clock = clock;
    this.#settings = database.table();
  }

  async find(project_id: string, run_id: string): Promise<MetricSettings | undefined> {
    if (!(await this.#run(project_id, run_id))) return undefined;
    return structuredClone(this.#settings.get(run_id)?.settings ?? NO_METRICS);
  }

  async replace(
    project_id: string,
    run_id: string,
    change: (settings: MetricSettings, now: string) => MetricSettings,
  ): Promise<MetricSettings | undefined> {
    if (!(await this.#run(project_id, run_id))) return undefined;
    const before = this.#settings.get(run_id) ?? { settings: NO_METRICS, revision: 0 };
    const settings = change(structuredClone(before.settings), this.#clock().toISOString());
    this.#settings.set(run_id, { settings: structuredClone(settings), revision: before.revision + 1 });
    return settings;
  }

  async findRun(project_id: string, run_id: string): Promise<RunContext | undefined> {
    const project = await this.#projectStore.findProject(project_id);
    const run = project && (await this.#run(project_id, run_id));
    if (!run) return undefined;
    const known = this.#settings.get(run_id);
    return {
      project_id,
      project_name: project.name,
      run_id,
      kind: run.kind,
      settings_revision: known?.revision ?? 0,
      has_scorers: (known?.settings.scorers.length ?? 0) > 0,
    };
  }

  async #run(project_id: string, run_id: string): Promise<Run | undefined> {
    const found = await Promise.all(KINDS.map((kind) => this.#projectStore.findRun(project_id, kind, run_id)));
    return found.find((run) => run !== undefined);
  }
}
