import type { PageRequest, Slice } from '../kernel/query/page.ts';
import type { ScorerRecord, ScorerVersionRecord } from './scorer.ts';
import type { ScorerListFilter, ScorerOrder } from './scorer-query.ts';

export type ScorerChanges = Partial<Omit<ScorerRecord, 'id' | 'scorer_type' | 'created_at' | 'created_by'>> &
  Pick<ScorerRecord, 'updated_at'>;

/** Scorers and their versions. Values handed in or out belong to the caller. */
export interface ScorerStore {
  /** Rejects with AppError `conflict` when name and type are taken. */
  insert(scorer: ScorerRecord): Promise<void>;
  find(id: string): Promise<ScorerRecord | undefined>;
  /** In any order; unknown ids are left out. */
  findMany(ids: readonly string[]): Promise<ScorerRecord[]>;
  /** In the order asked for, ties by name and id; up to `limit` + 1 rows. */
  list(filters: readonly ScorerListFilter[], order: ScorerOrder, page: PageRequest): Promise<ScorerRecord[]>;
  /** Returns the scorer as it is now, undefined when there is none. Rejects with AppError `conflict` as insert does. */
  update(id: string, changes: ScorerChanges): Promise<ScorerRecord | undefined>;
  /** Removes the scorer with its versions. Returns whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Every tag of any scorer once, by code point. */
  tags(): Promise<string[]>;
  /**
   * Stores a version under the next number of its scorer and returns it. Two at once get two numbers.
   * Rejects with AppError `not_found` when there is no such scorer.
   */
  insertVersion(version: Omit<ScorerVersionRecord, 'version'>): Promise<ScorerVersionRecord>;
  findVersion(id: string): Promise<ScorerVersionRecord | undefined>;
  /** By number, or the latest. */
  findVersionOf(scorer_id: string, version?: number): Promise<ScorerVersionRecord | undefined>;
  /** Newest first; of the given ids only, where there are some. */
  listVersions(scorer_id: string, slice: Slice, ids?: readonly string[]): Promise<ScorerVersionRecord[]>;
  /** The latest version of each scorer that has one. */
  latestVersions(scorer_ids: readonly string[]): Promise<ScorerVersionRecord[]>;
}
