import { AppError } from '../kernel/errors.ts';
import type { Filter } from '../kernel/query/filter.ts';
import type { Sort } from '../kernel/query/sort.ts';

/** The kinds of things that records are logged to. */
export type RunKind = 'log_stream' | 'experiment' | 'metrics_testing';

/** A run as stored, without its metric settings, which have a store of their own. */
export interface Run {
  readonly project_id: string;
  readonly id: string;
  readonly kind: RunKind;
  readonly name: string;
  readonly created_by: string | null;
  readonly has_user_created_sessions: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export type RunFilter = Filter<'id' | 'name' | 'created_by' | 'created_at' | 'updated_at'>;
export type RunSort = Sort<'name' | 'created_at' | 'updated_at'>;
export const NEWEST_RUNS_FIRST: RunSort = { name: 'created_at', ascending: false };

export const runNotFound = (project_id: string, run_id: string): AppError =>
  new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
