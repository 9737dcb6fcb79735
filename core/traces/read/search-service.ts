import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { toPageFields } from '../../kernel/query/page.ts';
import { mapInSlices } from '../../kernel/slices.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import { recordsWithMetrics } from '../../scores/shown-metrics.ts';
import type { LogRecord } from '../record.ts';
import { type RecordListing, type RecordSearch, type RecordSelection, toRecordCondition, toRecordSort } from '../record-query.ts';
import type { TraceStore } from '../trace-store.ts';
import { type BookmarkFilterDeps, withBookmarks } from './bookmark-filter.ts';
import {
  type Allowance,
  type CountRequest,
  computePageRows,
  isUnconditional,
  type PartialSearchRequest,
  type QueryEstimate,
  type SearchRequest,
} from './query-cost.ts';
import type { QueryGuard } from './query-guard.ts';
import { type ScoredView, scoredViews, type ViewDeps } from './record-views.ts';
import { toSelection } from './selection.ts';
import { shortened } from './shorten.ts';

export interface SearchDeps extends ViewDeps, BookmarkFilterDeps {
  readonly traceStore: TraceStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly queryGuard: QueryGuard;
}

/** After this many bytes of its large fields a page of records ends. */
export const MAX_BYTES_OF_PAGE = 8 * 1024 * 1024;
/** Records that are picked from or shortened without a turn for others. */
const SLICE = 200;

type Level = 'trace' | 'span';

/** Finding records of a run, page by page. */
export class SearchService {
  readonly #deps: SearchDeps;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  async search(caller: Caller, project_id: string, level: Level, body: SearchRequest) {
    const listing = await this.#listing(caller, project_id, level, body);
    const estimate = await this.#admit(caller, listing, body);
    return estimate ? toExplained(listing, estimate) : this.#toPage(body, listing, (view) => view);
  }

  /** As `search`, with the selected columns only. */
  async searchPartly(caller: Caller, project_id: string, level: Level, body: PartialSearchRequest) {
    const listing = await this.#listing(caller, project_id, level, body);
    const { fields, pick } = toSelection(body.select_columns);
    const estimate = await this.#admit(caller, listing, body);
    return estimate ? toExplained(listing, estimate) : this.#toPage(body, { ...listing, fields }, pick);
  }

  /** Without conditions the number is known, and nothing is counted. */
  async count(
    caller: Caller,
    project_id: string,
    level: Level,
    body: CountRequest,
  ): Promise<{ total_count: number; estimate?: QueryEstimate }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const where = toRecordCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const selection: RecordSelection = { project_id, run_id, level, where };
    const query = { selection, ...(isUnconditional(selection.where) && { atMost: 1 }) };
    const estimate = await this.#deps.queryGuard.admit(caller, query, body);
    return estimate ? { total_count: 0, estimate } : { total_count: await this.#deps.traceStore.count(selection) };
  }

  #admit(caller: Caller, listing: RecordListing, allowance: Allowance): Promise<QueryEstimate | undefined> {
    return this.#deps.queryGuard.admit(caller, { selection: listing, atMost: computePageRows(listing) }, allowance);
  }

  async #listing(caller: Caller, project_id: string, level: Level, body: RecordSearch): Promise<RecordListing> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const { starting_token, previous_last_row_id } = body;
    const where = toRecordCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const sort = toRecordSort(body.sort);
    const settings = (await this.#deps.metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
    const limit = Math.min(body.limit, recordsWithMetrics(settings));
    return { project_id, run_id, level, where, sort, starting_token, limit, after: previous_last_row_id ?? undefined };
  }

  async #toPage<T extends object>(
    { truncate_fields, include_counts, include_models }: RecordSearch,
    listing: RecordListing,
    show: (view: ScoredView) => T,
  ) {
    const { records: items, has_more } = await this.#deps.traceStore.listWithin(listing, MAX_BYTES_OF_PAGE);
    const page = toPageFields(items.length, has_more, listing);
    const { project_id, run_id, level } = listing;
    const views = await scoredViews(this.#deps, project_id, run_id, items);
    const counts = include_counts && level === 'trace' ? await this.#spanCounts(project_id, run_id, items) : undefined;
    const models = include_models && level === 'trace' ? await this.#models(project_id, run_id, items) : undefined;
    const records = await mapInSlices(views, SLICE, (view) => ({
      ...(truncate_fields ? shortened(show(view)) : show(view)),
      ...(counts && { num_spans: counts.get(view.id) ?? 0 }),
      ...(models && { models: models.get(view.id) ?? [] }),
    }));
    return { ...page, last_row_id: items.at(-1)?.id ?? null, records };
  }

  #models(project_id: string, run_id: string, traces: readonly LogRecord[]): Promise<Map<string, string[]>> {
    const ids = traces.map(({ id }) => id);
    return this.#deps.traceStore.models(project_id, run_id, ids);
  }

  #spanCounts(project_id: string, run_id: string, traces: readonly LogRecord[]): Promise<Map<string, number>> {
    const ids = traces.map(({ id }) => id);
    return this.#deps.traceStore.spanCounts(project_id, run_id, ids);
  }
}

const toExplained = (listing: RecordListing, estimate: QueryEstimate) => ({
  ...toPageFields(0, false, listing),
  last_row_id: null,
  records: [],
  estimate,
});
