import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Clock } from '../../kernel/ports.ts';
import { sortableTime } from '../../kernel/timestamp.ts';
import { NEWEST_PROJECTS_FIRST, type StoredProject } from '../../projects/project.ts';
import type { ProjectStore } from '../../projects/project-store.ts';
import { type Run, runNotFound } from '../../projects/run.ts';
import type { LogRecord } from '../record.ts';
import { type FilterTree, NEWEST_FIRST, type RecordListing } from '../record-query.ts';
import type { TraceStore } from '../trace-store.ts';
import type { QueryGuard } from './query-guard.ts';
import { toSnippet } from './snippet.ts';
import {
  MAX_STREAMS,
  type PageEnd,
  parseCursor,
  type SearchedStream,
  type StreamHit,
  type StreamSearch,
  type StreamSearchPage,
  toCursor,
} from './stream-search.ts';
import { termsIn, toTextFilters } from './text-terms.ts';

export interface StreamSearchDeps {
  readonly projectStore: ProjectStore;
  readonly traceStore: TraceStore;
  readonly authorizer: Authorizer;
  readonly queryGuard: QueryGuard;
  readonly clock: Clock;
}

/** Projects, and log streams of each, that a search over all of them knows. */
const MAX_PROJECTS = 100;
const MAX_STREAMS_EACH = 20;
/** No log stream is begun after so long: what is under way ends. */
const TIME_MS = 2_000;
/** Records that one request looks at in all log streams together, as the cost guard estimates them. */
const MAX_ROWS = 5_000_000;
/** To look for parts of words is to read the texts, not an index of them. */
const PASSES = { words: 1, part: 25 } as const;
const COUNTED = 100;
/** Pages of records that were written at the very time at which a page ended. */
const MAX_TIED_PAGES = 10;
/** Texts that are read for the snippets of a page. */
const MAX_SNIPPET_BYTES = 4 * 1024 * 1024;

type Stream = Pick<Run, 'project_id' | 'id' | 'name'> & { readonly project_name: string };
type Hit = Pick<LogRecord, 'id' | 'trace_id' | 'name' | 'created_at'> & { readonly stream: Stream };
interface Found extends Pick<SearchedStream, 'state'> {
  readonly hits: readonly Hit[];
  readonly has_more: boolean;
}

/**
 * Looks for a text in many log streams: one after the other, on one connection as any search, within a time and a number of records that one
 * request may cost. Log streams of all projects take turns, so that none is left out because another has many.
 */
export class StreamSearchService {
  readonly #deps: StreamSearchDeps;

  constructor(deps: StreamSearchDeps) {
    this.#deps = deps;
  }

  async search(caller: Caller, body: StreamSearch): Promise<StreamSearchPage> {
    const { streams, isAll } = await this.#streams(caller, body);
    const behind = body.cursor ? parseCursor(body.cursor) : undefined;
    const end = this.#deps.clock().getTime() + TIME_MS;
    const budget = this.#deps.queryGuard.openBudget(MAX_ROWS);
    const found: (readonly [Stream, Found])[] = [];
    for (const stream of streams) {
      const isLate = this.#deps.clock().getTime() > end;
      const listing = toListing(stream, body, behind);
      const isWithin = isLate || (await budget.take(listing, PASSES[body.match]));
      const state = isLate ? 'out_of_time' : isWithin ? 'searched' : 'too_many_records';
      found.push([
        stream,
        state === 'searched' ? await this.#find(stream, listing, behind) : { state, hits: [], has_more: false },
      ]);
    }
    const all = found.flatMap(([, { hits }]) => hits).sort(byTime);
    const page = all.slice(0, body.limit);
    const isMore = all.length > page.length || found.some(([, { has_more }]) => has_more);
    const last = page.at(-1);
    return {
      hits: await this.#shown(page, body),
      next_cursor: isMore && last ? toCursor(last) : null,
      log_streams: found
        .filter(([, one]) => one.hits.length > 0 || one.state !== 'searched')
        .map(([stream, one]) => toState(stream, one)),
      num_searched: found.filter(([, { state }]) => state === 'searched').length,
      is_complete: isAll && found.every(([, { state }]) => state === 'searched'),
    };
  }

  /** The newest matches of a log stream behind the end of the page before. */
  async #find(stream: Stream, listing: RecordListing, behind: PageEnd | undefined): Promise<Found> {
    const hits: Hit[] = [];
    for (let tied = 0; tied < MAX_TIED_PAGES; tied += 1) {
      const records = await this.#deps.traceStore.list({ ...listing, starting_token: tied * COUNTED });
      const page = records
        .slice(0, COUNTED)
        .map(({ id, trace_id, name, created_at }) => ({ id, trace_id, name, created_at, stream }));
      hits.push(...page.filter((one) => behind === undefined || byTime(behind, one) < 0));
      const isLast = records.length <= COUNTED;
      if (isLast || hits.length >= COUNTED || page.length === hits.length)
        return { state: 'searched', hits: hits.slice(0, COUNTED), has_more: !isLast || hits.length > COUNTED };
    }
    return { state: 'searched', hits, has_more: true };
  }

  /** Hits of a page with the surroundings of the text, which are read log stream by log stream until enough has been read. */
  async #shown(hits: readonly Hit[], { text, record_type }: StreamSearch): Promise<StreamHit[]> {
    const terms = termsIn(text);
    const snippets = new Map<string, StreamHit['snippet']>();
    const ofStream = Map.groupBy(hits, ({ stream }) => stream);
    for (const [stream, own] of ofStream) {
      const ids = own.map(({ id }) => id);
      const where: FilterTree = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value: ids } };
      const listing = { ...toSelection(stream, record_type), where, ...FROM_START, limit: ids.length };
      const { records } = await this.#deps.traceStore.listWithin(listing, MAX_SNIPPET_BYTES / ofStream.size);
      for (const record of records) snippets.set(getKey(stream, record.id), toSnippet(record, terms) ?? null);
    }
    return hits.map(({ stream, id, trace_id, name, created_at }) => ({
      ...toNames(stream),
      ...{ record_id: id, record_type, trace_id, name, created_at },
      snippet: snippets.get(getKey(stream, id)) ?? null,
    }));
  }

  /** Log streams to search, and whether these are all that were asked for. */
  async #streams(caller: Caller, { project_id, log_stream_ids }: StreamSearch): Promise<{ streams: Stream[]; isAll: boolean }> {
    const { projectStore } = this.#deps;
    const projects = await this.#projects(caller, project_id ?? undefined);
    const shown = projects.slice(0, MAX_PROJECTS);
    const ids = shown.map(({ id }) => id);
    const each = shown.length === 1 ? MAX_STREAMS : MAX_STREAMS_EACH;
    if (project_id && log_stream_ids) return { streams: await this.#named(shown[0]!, log_stream_ids), isAll: true };
    const runs = await projectStore.listNewestRuns(ids, 'log_stream', each + 1);
    const byProject = Map.groupBy(runs, (run) => run.project_id);
    const inTurns = shown.flatMap((project) =>
      (byProject.get(project.id) ?? []).slice(0, each).map((run, turn) => ({ turn, stream: toStream(project, run) })),
    );
    const streams = inTurns.sort((a, b) => a.turn - b.turn).map(({ stream }) => stream);
    const isCut = [...byProject.values()].some((own) => own.length > each) || streams.length > MAX_STREAMS;
    return { streams: streams.slice(0, MAX_STREAMS), isAll: !isCut && projects.length <= MAX_PROJECTS };
  }

  async #projects(caller: Caller, project_id: string | undefined): Promise<StoredProject[]> {
    const { authorizer, projectStore } = this.#deps;
    if (project_id !== undefined) {
      await authorizer.authorize(caller, 'project', project_id, 'read');
      const project = await projectStore.findProject(project_id);
      return project ? [project] : [];
    }
    const { filters } = await authorizer.visible(caller, 'project');
    return projectStore.listProjects([...filters], NEWEST_PROJECTS_FIRST, { offset: 0, limit: MAX_PROJECTS + 1 });
  }

  async #named(project: StoredProject, ids: readonly string[]): Promise<Stream[]> {
    const { projectStore } = this.#deps;
    const filter = { family: 'id' as const, name: 'id' as const, operator: 'one_of' as const, values: [...ids] };
    const runs = await projectStore.listRuns(project.id, 'log_stream', [filter], { name: 'created_at', ascending: false });
    const known = new Set(runs.map(({ id }) => id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined) throw runNotFound(project.id, missing);
    return runs.map((run) => toStream(project, run));
  }
}

const FROM_START = { sort: NEWEST_FIRST, starting_token: 0, after: undefined } as const;

const toStream = ({ name: project_name }: StoredProject, { project_id, id, name }: Run): Stream => ({
  ...{ project_id, project_name, id, name },
});
const toNames = ({ project_id, project_name, id, name }: Stream) => ({
  ...{ project_id, project_name, log_stream_id: id, log_stream_name: name },
});
const toState = (stream: Stream, { state, hits, has_more }: Found): SearchedStream => ({
  ...toNames(stream),
  ...{ state, num_hits: hits.length, has_more_hits: has_more },
});
const toSelection = ({ project_id, id: run_id }: Stream, level: 'trace' | 'span') => ({ project_id, run_id, level });
const getKey = ({ project_id, id: run_id }: Stream, id: string): string => `${project_id} ${run_id} ${id}`;

function toListing(stream: Stream, body: StreamSearch, behind: PageEnd | undefined): RecordListing {
  const until = [body.created_until, behind?.created_at].filter((at) => at != null);
  const bound = (operator: 'gte' | 'lte', value: string): FilterTree => ({
    filter: { type: 'date', column_id: 'created_at', operator, value },
  });
  const where: FilterTree = {
    and: [
      ...toTextFilters(body.text, body.match).map((filter) => ({ filter })),
      ...(body.created_from ? [bound('gte', body.created_from)] : []),
      ...until.map((at) => bound('lte', at)),
    ],
  };
  return { ...toSelection(stream, body.record_type), where, ...FROM_START, limit: COUNTED, fields: new Set(['name']) };
}

/** The newest first, then by id, as pages of records are. */
function byTime(a: PageEnd, b: PageEnd): number {
  const [first, second] = [`${sortableTime(a.created_at)} ${a.id}`, `${sortableTime(b.created_at)} ${b.id}`];
  return first < second ? 1 : first > second ? -1 : 0;
}
