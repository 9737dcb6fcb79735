import type { PageFields } from '../../core/kernel/query/page.ts';
import type { LogStream } from '../../core/projects/log-stream.ts';
import type { Project } from '../../core/projects/project.ts';
import { get, post } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { clipped } from '../kit/formatting.ts';
import { toTextFilters } from '../records/text-search.ts';
import { type Destination, isId, type PalettePlace } from './place.ts';

type ProjectPage = PageFields & { readonly projects: readonly Project[] };
type RecordPage = { readonly records: readonly { readonly id: string; readonly name?: string | null }[] };

const PROJECTS = 8;
/** More log streams are seldom; each costs a search. */
const STREAMS = 10;
const TRACES_EACH = 3;
/** Shorter texts are in every trace. */
const SHORTEST = 2;

/** Matches of a text that the service finds: projects by name, a record by its id, else traces of the log streams of this project. */
export async function find(text: string, place: PalettePlace, signal: AbortSignal): Promise<readonly Destination[]> {
  const wanted = text.trim();
  if (isId(wanted)) return place.project_id ? findRecord(place.project_id, wanted, signal) : [];
  const [projects, traces] = await Promise.all([
    findProjects(wanted, signal),
    place.project_id && wanted.length >= SHORTEST ? findTraces(place.project_id, wanted, signal) : [],
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

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return undefined;
    throw error;
  }
}

async function findTraces(project_id: string, text: string, signal: AbortSignal): Promise<Destination[]> {
  const path = `/projects/${project_id}/log_streams/paginated`;
  const { log_streams } = await get<{ log_streams: readonly LogStream[] }>(path, { query: { limit: STREAMS }, signal });
  const found = await Promise.all(log_streams.map((stream) => findIn(stream, text, signal)));
  return found.flat();
}

async function findIn({ id, name, project_id }: LogStream, text: string, signal: AbortSignal): Promise<Destination[]> {
  const search = {
    log_stream_id: id,
    filters: toTextFilters(text, false),
    select_columns: { column_ids: ['name'] },
    limit: TRACES_EACH,
  };
  const { records } = await post<RecordPage>(`/projects/${project_id}/traces/partial_search`, search, { signal });
  const all = {
    group: name,
    label: `All matches in ${name}`,
    path: `/projects/${project_id}/log_streams/${id}?words=${encodeURIComponent(text)}`,
  };
  const traces = records.map((record) => ({
    ...{ group: name, label: clipped(record.name || record.id, 80), path: `/projects/${project_id}/traces/${record.id}` },
  }));
  return traces.length > 0 ? [...traces, all] : [];
}
