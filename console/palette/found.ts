import type { PageFields } from '../../core/kernel/query/page.ts';
import type { Project } from '../../core/projects/project.ts';
import type { SearchedStream, StreamHit, StreamSearchPage } from '../../core/traces/read/stream-search.ts';
import { get, post } from '../api/client.ts';
import { unlessMissing } from '../api/unless-missing.ts';
import { clipped, numberText } from '../kit/formatting.ts';
import { type Destination, isId, type PalettePlace } from './place.ts';

type ProjectPage = PageFields & { readonly projects: readonly Project[] };

const PROJECTS = 8;
const HITS = 20;
/** Of one log stream; a link leads to all of them. */
const EACH = 3;
/** Shorter texts are in every trace. */
const SHORTEST = 2;

/** Matches of a text that the service finds: projects by name, a record by its id, else traces of all log streams, those of this project first. */
export async function find(text: string, place: PalettePlace, signal: AbortSignal): Promise<readonly Destination[]> {
  const wanted = text.trim();
  if (isId(wanted)) return place.project_id ? findRecord(place.project_id, wanted, signal) : [];
  const [projects, traces] = await Promise.all([
    findProjects(wanted, signal),
    wanted.length >= SHORTEST ? findTexts(wanted, place, signal) : [],
  ]);
  return [...projects, ...traces];
}

async function findProjects(text: string, signal: AbortSignal): Promise<Destination[]> {
  const filters = text === '' ? [] : [{ name: 'name', operator: 'contains', value: text, case_sensitive: false }];
  const page = await post<ProjectPage>('/projects/paginated', { filters }, { query: { limit: PROJECTS }, signal });
  return page.projects.map(({ id, name }) => ({ group: 'Projects', label: name, path: `/projects/${id}` }));
}

/** A trace, or the trace of a span. */
async function findRecord(project_id: string, id: string, signal: AbortSignal): Promise<Destination[]> {
  const project = `/projects/${project_id}`;
  const isThere = await unlessMissing(get<{ name: string }>(`${project}/traces/${id}`, { signal }));
  if (isThere) return [{ group: 'Trace', label: isThere.name || id, path: `${project}/traces/${id}` }];
  const span = await unlessMissing(get<{ name: string; trace_id: string }>(`${project}/spans/${id}`, { signal }));
  return span ? [{ group: 'Span', label: span.name || id, path: `${project}/traces/${span.trace_id}?span=${id}` }] : [];
}

/** Hits of the project at hand first, then those of all others. Where no whole word matches, parts of words are looked for. */
async function findTexts(text: string, { project_id }: PalettePlace, signal: AbortSignal): Promise<Destination[]> {
  for (const match of ['words', 'part'] as const) {
    const search = (body: object) => post<StreamSearchPage>('/search', { text, match, limit: HITS, ...body }, { signal });
    const [own, all] = await Promise.all([project_id ? search({ project_id }) : undefined, search({})]);
    const isElsewhere = (one: { project_id: string }): boolean => one.project_id !== project_id;
    const found = [...toDestinations(own, text, match, () => true), ...toDestinations(all, text, match, isElsewhere)];
    if (found.length > 0) return found;
  }
  return [];
}

function toDestinations(
  page: StreamSearchPage | undefined,
  text: string,
  match: 'words' | 'part',
  isWanted: (of: { project_id: string }) => boolean,
): Destination[] {
  const ofStream = Map.groupBy(
    page?.hits.filter(isWanted) ?? [],
    ({ project_id, log_stream_id }) => `${project_id} ${log_stream_id}`,
  );
  const hits = [...ofStream.values()].flatMap((own) => own.slice(0, EACH).map(toHit));
  const streams = page?.log_streams.filter((one) => one.num_hits > 0 && isWanted(one)) ?? [];
  return [...hits, ...streams.map((stream) => toStream(stream, text, match))];
}

const nameOf = ({ project_name, log_stream_name }: Pick<StreamHit, 'project_name' | 'log_stream_name'>): string =>
  `${project_name} / ${log_stream_name}`;

const toHit = (hit: StreamHit): Destination => ({
  group: nameOf(hit),
  label: clipped([hit.name || hit.record_id, hit.snippet?.text].filter(Boolean).join(': '), 120),
  path: `/projects/${hit.project_id}/traces/${hit.trace_id}`,
});

function toStream(stream: SearchedStream, text: string, match: 'words' | 'part'): Destination {
  const { project_id, log_stream_id, log_stream_name, num_hits, has_more_hits } = stream;
  const view = new URLSearchParams({ words: text, ...(match === 'part' && { match }) });
  return {
    group: nameOf(stream),
    label: `All ${numberText(num_hits)}${has_more_hits ? ' and more' : ''} matches in ${log_stream_name}`,
    path: `/projects/${project_id}/log_streams/${log_stream_id}?${view}`,
  };
}
