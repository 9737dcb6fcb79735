import type { PageFields } from '../../core/kernel/query/page.ts';
import type { ScorerKindView } from '../../core/scorers/kinds/scorer-kind-view.ts';
import type { CodeLanguageView } from '../../core/scorers/languages/code-language-view.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { get, patch, post } from '../api/client.ts';

export type ScorerPage = PageFields & { readonly scorers: readonly Scorer[] };
export type VersionPage = PageFields & { readonly versions: readonly ScorerVersion[] };

export const scorerPath = (scorer_id: string): string => `/scorers/${scorer_id}`;

export const getScorer = (scorer_id: string, signal: AbortSignal): Promise<Scorer> =>
  get<Scorer>(scorerPath(scorer_id), { signal });

/** Newest first. */
export const listVersions = (scorer_id: string, starting_token: number, signal: AbortSignal): Promise<VersionPage> =>
  get<VersionPage>(`${scorerPath(scorer_id)}/versions`, { query: { starting_token, limit: 50 }, signal });

/** The source of a version, or of the latest. */
export const getCode = (scorer_id: string, version: number | undefined, signal?: AbortSignal): Promise<string> =>
  get<string>(`${scorerPath(scorer_id)}/version/code`, { query: { version }, signal });

export const restoreVersion = (scorer_id: string, version: number): Promise<ScorerVersion> =>
  post<ScorerVersion>(`${scorerPath(scorer_id)}/versions/${version}/restore`);

/** The installed languages of code, those that are taken for granted first. */
export async function listLanguages(signal?: AbortSignal): Promise<readonly CodeLanguageView[]> {
  const { code_languages } = await get<{ readonly code_languages: readonly CodeLanguageView[] }>('/code_languages', { signal });
  return code_languages.toSorted((a, b) => Number(b.takes_unknown_files) - Number(a.takes_unknown_files));
}

/** Types of scorers whose versions are written in a view of their own. */
const OWN_VIEWS: readonly string[] = ['code', 'llm'];

/** The installed kinds: those with a view of their own first, then by name. */
export async function listKinds(signal?: AbortSignal): Promise<readonly ScorerKindView[]> {
  const { scorer_kinds } = await get<{ readonly scorer_kinds: readonly ScorerKindView[] }>('/scorer_kinds', { signal });
  const rank = ({ scorer_type }: ScorerKindView): number => (OWN_VIEWS.indexOf(scorer_type) + 1 || OWN_VIEWS.length + 1) - 1;
  return scorer_kinds.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label));
}

/** Rejects with `gate_closed` when the gate refuses the version, unless `force`. */
export const makeDefault = (scorer_id: string, default_version_id: string, force: boolean): Promise<Scorer> =>
  patch<Scorer>(scorerPath(scorer_id), { default_version_id, force });
