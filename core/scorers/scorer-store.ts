import type { Filter } from '../kernel/filter.ts';
import type { PageRequest } from '../kernel/page.ts';
import type { Sort } from '../kernel/sort.ts';
import type { ScorerRecord, ScorerVersionRecord } from './scorer.ts';

/** Scorers and their versions. Values handed in or out belong to the caller. */
export interface ScorerStore {
  /** Rejects with AppError `conflict` when name and type are taken. */
  insert(scorer: ScorerRecord): Promise<void>;
  find(id: string): Promise<ScorerRecord | undefined>;
  /** In any order; unknown ids are left out. */
  findMany(ids: readonly string[]): Promise<ScorerRecord[]>;
  /** By name and id; up to `limit` + 1 rows. */
  list(filters: readonly ScorerListFilter[], sort: Sort<'name'>, page: PageRequest): Promise<ScorerRecord[]>;
  /** An unknown id is not an error. */
  setDefaultVersion(id: string, version_id: string, updated_at: string): Promise<void>;
  /**
   * Stores a version under the next number of its scorer and answers it. Two at once get two numbers.
   * Rejects with AppError `not_found` when there is no such scorer.
   */
  insertVersion(version: Omit<ScorerVersionRecord, 'version'>): Promise<ScorerVersionRecord>;
  findVersion(id: string): Promise<ScorerVersionRecord | undefined>;
  /** By number, or the latest. */
  findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined>;
  /** The latest version of each scorer that has one. */
  latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]>;
}

/** Filters of the scorer list, by name of the filter. */
export type ScorerListFilter = Filter<
  'id' | 'name' | 'label' | 'scorer_type' | 'model_type' | 'tags' | 'creator' | 'created_at' | 'updated_at'
>;
