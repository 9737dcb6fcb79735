import { AppError } from '../../kernel/errors.ts';
import { type ScorerRecord, type ScorerVersionRecord, scorerNotFound } from '../scorer.ts';
import type { ScorerStore } from '../scorer-store.ts';

export interface ScorerWithVersion {
  readonly scorer: ScorerRecord;
  readonly version: ScorerVersionRecord;
}

/** A scorer with its version of a number, or its latest. */
export async function scorerWithVersion(store: ScorerStore, scorer_id: string, number?: number): Promise<ScorerWithVersion> {
  const scorer = await store.find(scorer_id);
  if (!scorer) throw scorerNotFound(scorer_id);
  const version = await store.findVersionOf(scorer_id, number);
  if (!version) throw versionNotFound(scorer_id);
  return { scorer, version };
}

export const versionNotFound = (scorer_id: string): AppError =>
  new AppError('not_found', 'scorer_version_not_found', `scorer ${scorer_id} has no such version`);
