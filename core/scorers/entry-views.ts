import type { z } from 'zod';
import type { ScorerEntry, StoredEntry } from './metric-settings.ts';
import { storedVersionOf } from './scorer.ts';
import type { ScorerStore } from './scorer-store.ts';

export type ScorerEntryView = z.output<typeof ScorerEntry>;

/** Scorers of a run as the API shows them, each with its pinned version. */
export async function entryViews(scorerStore: ScorerStore, entries: readonly StoredEntry[]): Promise<ScorerEntryView[]> {
  const scorers = await scorerStore.findMany(entries.map(({ id }) => id));
  const known = new Map(scorers.map((scorer) => [scorer.id, scorer]));
  return Promise.all(
    entries.map(async ({ enabled_at: _since, scorer_version_id, filters, ...entry }) => {
      const scorer = known.get(entry.id);
      const pinned = scorer_version_id === null ? undefined : await scorerStore.findVersion(scorer_version_id);
      return { ...entry, filters: [...filters], scorer_version: pinned && scorer ? storedVersionOf(pinned, scorer) : null };
    }),
  );
}
