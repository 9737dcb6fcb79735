import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { toRecordCondition } from '../record-query.ts';
import type { TraceStore } from '../trace-store.ts';
import { type BookmarkFilterDeps, withBookmarks } from './bookmark-filter.ts';
import { checkFacets, type FacetPage, type FacetSearch } from './facet.ts';
import type { QueryGuard } from './query-guard.ts';

export interface FacetDeps extends BookmarkFilterDeps {
  readonly traceStore: TraceStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly queryGuard: QueryGuard;
}

/** Counting the values of columns over the records that filters leave. */
export class FacetService {
  readonly #deps: FacetDeps;

  constructor(deps: FacetDeps) {
    this.#deps = deps;
  }

  /** Column after column: each is a pass over the records, and no request holds more than one connection. */
  async count(caller: Caller, project_id: string, level: 'trace' | 'span', body: FacetSearch): Promise<FacetPage> {
    const { authorizer, runDirectory, traceStore, queryGuard } = this.#deps;
    await authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(runDirectory, project_id, body);
    checkFacets(body);
    const where = toRecordCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const selection = { project_id, run_id, level, where };
    const columns = new Set(body.column_ids);
    const estimate = await queryGuard.admit(caller, { selection, passes: columns.size + 1 }, body);
    if (estimate) return { total_count: 0, facets: [], estimate };
    const total_count = await traceStore.count(selection);
    const facets: FacetPage['facets'] = [];
    for (const column_id of columns) {
      const values = await traceStore.facet(selection, column_id, body.limit + 1);
      facets.push({ column_id, values: values.slice(0, body.limit), is_cut: values.length > body.limit });
    }
    return { total_count, facets };
  }
}
