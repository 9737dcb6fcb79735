import type { ScorerKindView } from '../../core/scorers/kinds/scorer-kind-view.ts';
import { type SettingsField, type SettingsSchema, toSettingsFields } from '../admin/settings-schema.ts';
import { get } from '../api/client.ts';

/** Types of scorers whose versions are written in a view of their own. */
const OWN_VIEWS: readonly string[] = ['code', 'llm'];

/** Those with a view of their own first, then by name. */
export async function listKinds(signal?: AbortSignal): Promise<readonly ScorerKindView[]> {
  const { scorer_kinds } = await get<{ readonly scorer_kinds: readonly ScorerKindView[] }>('/scorer_kinds', { signal });
  const rank = ({ scorer_type }: ScorerKindView): number => (OWN_VIEWS.indexOf(scorer_type) + 1 || OWN_VIEWS.length + 1) - 1;
  return scorer_kinds.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label));
}

/** What there is to fill in for a version: the definition, or what stands beside the file that holds it. */
export const versionFields = ({ form_schema, definition_schema }: ScorerKindView): SettingsField[] =>
  toSettingsFields((form_schema ?? definition_schema) as SettingsSchema);
