import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { StoredProject } from '../../../core/projects/project.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { Run } from '../../../core/projects/run.ts';
import { NEWEST_RUNS_FIRST } from '../../../core/projects/run.ts';
import type { RunWithout, ScorerUse, ScorerUseQuery, UsingProject } from '../../../core/scorers/scorer-use.ts';
import type { MetricSettingsStore } from '../../../core/scores/metric-settings-store.ts';
import { sliced } from '../traces/sliced.ts';

export interface MemoryScorerUseDeps {
  readonly projectStore: ProjectStore;
  readonly metricSettingsStore: MetricSettingsStore;
}

/** Where scorers are enabled, by looking through all runs. */
export class MemoryScorerUse implements ScorerUse {
  readonly #projects: ProjectStore;
  readonly #settings: MetricSettingsStore;

  constructor({ projectStore, metricSettingsStore }: MemoryScorerUseDeps) {
    this.#projects = projectStore;
    this.#settings = metricSettingsStore;
  }

  async projects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[], slice: Slice): Promise<UsingProject[]> {
    return sliced(await this.#using(use, filters), slice);
  }

  async countProjects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[]): Promise<number> {
    return (await this.#using(use, filters)).length;
  }

  async disable(scorer_id: string): Promise<RunWithout[]> {
    const without: RunWithout[] = [];
    for (const project of await this.#all([])) {
      for (const run of await this.#getRuns(project)) {
        if (!(await this.#uses(run, { scorer_id }))) continue;
        const after = await this.#settings.replace(project.id, run.id, (before) => ({
          ...before,
          scorers: before.scorers.filter(({ id }) => id !== scorer_id),
        }));
        if (after) without.push({ project_id: project.id, run_id: run.id, has_others: after.scorers.length > 0 });
      }
    }
    return without;
  }

  async #using(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[]): Promise<UsingProject[]> {
    const found: UsingProject[] = [];
    for (const project of await this.#all(filters)) {
      const runs = await this.#getRuns(project);
      const used = await Promise.all(runs.map((run) => this.#uses(run, use)));
      if (!used.includes(true)) continue;
      const streams = runs.filter((run, at) => used[at] && run.kind === 'log_stream');
      found.push({
        ...project,
        num_logstreams: runs.filter(({ kind }) => kind === 'log_stream').length,
        num_experiments: runs.filter(({ kind }) => kind === 'experiment').length,
        log_streams: streams.map(({ id, name }) => ({ id, name })).sort((a, b) => compareText(a.name, b.name)),
      });
    }
    return found;
  }

  async #uses(run: Run, { scorer_id, version }: ScorerUseQuery): Promise<boolean> {
    const settings = await this.#settings.find(run.project_id, run.id);
    const entry = settings?.scorers.find(({ id }) => id === scorer_id);
    if (!entry || !version) return entry !== undefined;
    return entry.scorer_version_id === version.id || (entry.scorer_version_id === null && version.is_default);
  }

  #all(filters: readonly IdFilter<'id'>[]): Promise<StoredProject[]> {
    return this.#projects.listProjects(filters, { name: 'name', ascending: true });
  }

  async #getRuns({ id }: StoredProject): Promise<Run[]> {
    const kinds = ['log_stream', 'experiment'] as const;
    return (await Promise.all(kinds.map((kind) => this.#projects.listRuns(id, kind, [], NEWEST_RUNS_FIRST)))).flat();
  }
}
