import type { StoredEntry } from '../../scores/metric-settings.ts';
import type { ScorerKinds } from '../kinds/scorer-kinds.ts';
import type { ScorerStore } from '../scorer-store.ts';
import { toStoredVersion } from '../versions/version-view.ts';
import type { ScorerEntryView } from './metric-settings.ts';

export interface EntryViewDeps {
  readonly scorerStore: ScorerStore;
  readonly scorerKinds: ScorerKinds;
}

/** Scorers of a run as the API shows them, each with its pinned version and the settings that version would run with. */
export async function entryViews(
  { scorerStore, scorerKinds }: EntryViewDeps,
  entries: readonly StoredEntry[],
): Promise<ScorerEntryView[]> {
  const scorers = await scorerStore.findMany(entries.map(({ id }) => id));
  const known = new Map(scorers.map((scorer) => [scorer.id, scorer]));
  return Promise.all(
    entries.map(async ({ enabled_at: _since, enabled_by: _by, scorer_version_id, filters, ...entry }) => {
      const scorer = known.get(entry.id);
      const version_id = scorer_version_id ?? scorer?.default_version_id;
      const version = version_id ? await scorerStore.findVersion(version_id) : undefined;
      return {
        ...entry,
        filters: [...filters],
        daily_budget: entry.daily_budget ?? null,
        model_name: entry.model_name ?? version?.model_name ?? null,
        num_judges: entry.num_judges ?? version?.num_judges ?? null,
        cot_enabled: entry.cot_enabled ?? version?.cot_enabled ?? null,
        output_type: entry.output_type ?? version?.output_type ?? scorer?.output_type ?? null,
        input_type: entry.input_type ?? version?.input_type ?? scorer?.input_type ?? null,
        scorer_version: scorer_version_id !== null && version && scorer ? toStoredVersion(scorerKinds, version, scorer) : null,
      };
    }),
  );
}
