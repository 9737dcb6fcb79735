import type { Template } from '../../core/prompts/template.ts';
import type { MetricSettingsView } from '../../core/scorers/settings/metric-settings.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { get, post } from '../api/client.ts';
import type { ProjectStream } from './streams.ts';

/** A change that may be why quality is not what it was. */
export interface Change {
  readonly at: string;
  readonly label: string;
  readonly path: string;
}

/** Scorers that are asked for their newest version. */
const MOST_SCORERS = 12;

/** The last change of a scorer that is enabled in one of these log streams, and of a prompt; the newest first. */
export async function listLastChanges(streams: readonly ProjectStream[], signal: AbortSignal): Promise<readonly Change[]> {
  const [scorers, prompts] = await Promise.all([listScorerChanges(streams, signal), listPromptChanges(signal)]);
  const newest = (changes: readonly Change[]): readonly Change[] =>
    changes.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, 1);
  return [...newest(scorers), ...newest(prompts)].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

async function listScorerChanges(streams: readonly ProjectStream[], signal: AbortSignal): Promise<Change[]> {
  const settings = await Promise.all(
    streams.map(({ project_id, id }) =>
      get<MetricSettingsView>(`/projects/${project_id}/log_streams/${id}/metric_settings`, { signal }),
    ),
  );
  const ids = new Set(settings.flatMap(({ scorers }) => scorers.map(({ id }) => id)));
  const found = await Promise.all([...ids].slice(0, MOST_SCORERS).map((id) => findScorerChange(id, signal)));
  return found.filter((one) => one !== undefined);
}

async function findScorerChange(id: string, signal: AbortSignal): Promise<Change | undefined> {
  const [{ name }, { versions }] = await Promise.all([
    get<{ name: string }>(`/scorers/${id}`, { signal }),
    get<{ versions: readonly ScorerVersion[] }>(`/scorers/${id}/versions`, { query: { limit: 1 }, signal }),
  ]);
  const [newest] = versions;
  return newest && { at: newest.created_at, label: `Scorer ${name}, version ${newest.version}`, path: `/scorers/${id}` };
}

async function listPromptChanges(signal: AbortSignal): Promise<Change[]> {
  const { templates } = await post<{ templates: readonly Template[] }>(
    '/templates/query',
    { filters: [], sort: { name: 'updated_at', ascending: false } },
    { query: { limit: 1 }, signal },
  );
  return templates.map(({ id, name, updated_at, max_version }) => ({
    at: updated_at,
    label: `Prompt ${name}, version ${max_version}`,
    path: `/prompts/${id}`,
  }));
}
