import type { IdFilter } from '../kernel/query/filter.ts';
import type { Slice } from '../kernel/query/page.ts';
import type { StoredProject } from '../projects/project.ts';

/** A scorer, or one version of it: pinned in a run, or run there because it is the default. */
export interface ScorerUseQuery {
  readonly scorer_id: string;
  readonly version?: { readonly id: string; readonly is_default: boolean };
}

export interface UsingProject extends StoredProject {
  readonly num_logstreams: number;
  readonly num_experiments: number;
  /** Those that use the scorer, by name. */
  readonly log_streams: readonly { readonly id: string; readonly name: string }[];
}

/** A run that a scorer was taken out of. */
export interface RunWithout {
  readonly project_id: string;
  readonly run_id: string;
  /** Whether any other scorer is enabled there. */
  readonly has_others: boolean;
}

/** Where scorers are enabled: in settings of log streams and experiments of all projects. */
export interface ScorerUse {
  /** Projects with such runs that pass the filters on their id, by name and id. */
  projects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[], slice: Slice): Promise<UsingProject[]>;
  countProjects(use: ScorerUseQuery, filters: readonly IdFilter<'id'>[]): Promise<number>;
  /** Takes the scorer out of the settings of all runs and raises their revisions. Joins the transaction under way. Returns these runs. */
  disable(scorer_id: string): Promise<RunWithout[]>;
}
