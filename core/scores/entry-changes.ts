import { canonicalJson } from '../kernel/canonical-json.ts';
import type { StoredEntry } from './metric-settings.ts';

/** Changes of the scorers of a run, as the audit log keeps it: ids with a space between them. A list without ids is left out. */
export interface EntryChanges {
  readonly enabled?: string;
  readonly disabled?: string;
  /** Those whose settings changed, `versions` included. */
  readonly changed?: string;
  /** Those that run another version: `<scorer>:<version>`, without a version where the default one runs from now on. */
  readonly versions?: string;
}

export function toEntryChanges(before: readonly StoredEntry[], after: readonly StoredEntry[]): EntryChanges {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  const left = new Set(after.map(({ id }) => id));
  const stayed = after.flatMap((entry) => {
    const old = known.get(entry.id);
    return old ? [{ old, entry }] : [];
  });
  const lists = {
    enabled: after.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    disabled: before.filter(({ id }) => !left.has(id)).map(({ id }) => id),
    changed: stayed.filter(({ old, entry }) => toSettingsText(old) !== toSettingsText(entry)).map(({ entry: { id } }) => id),
    versions: stayed
      .filter(({ old, entry }) => old.scorer_version_id !== entry.scorer_version_id)
      .map(({ entry: { id, scorer_version_id } }) => `${id}:${scorer_version_id ?? ''}`),
  };
  return Object.fromEntries(Object.entries(lists).flatMap(([name, ids]) => (ids.length > 0 ? [[name, ids.join(' ')]] : [])));
}

const toSettingsText = ({ enabled_at: _at, enabled_by: _by, ...settings }: StoredEntry): string => canonicalJson(settings);
