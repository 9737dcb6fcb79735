import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Secrets } from '../../access/login/identity.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { type RecordCount, type RecordSelection, toRecordCondition } from '../record-query.ts';
import { type BookmarkFilterDeps, withBookmarks } from './bookmark-filter.ts';
import type { RecordScan } from './record-scan.ts';
import { TraceGraphBuilder } from './trace-graph.ts';

export interface TraceGraphDeps extends BookmarkFilterDeps {
  readonly reportScan: RecordScan;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly secrets: Secrets;
}

const TRACES_AT_ONCE = 50;
const MAX_TRACES = 1_000;
const MAX_RECORDS = 100_000;
const MAX_NODES = 5_000;

/** How an application goes about its work: many traces as one graph. */
export class TraceGraphService {
  readonly #deps: TraceGraphDeps;

  constructor(deps: TraceGraphDeps) {
    this.#deps = deps;
  }

  /** Of the newest traces that match; `has_all_traces` says whether these were all, or the limits were reached before. */
  async aggregate(caller: Caller, project_id: string, body: RecordCount) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const where = toRecordCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const selection: RecordSelection = { project_id, run_id, level: 'trace', where };
    const builder = new TraceGraphBuilder((text) => this.#deps.secrets.digest(text));
    let has_all_traces = true;
    let traces = 0;
    let records = 0;
    for await (const keys of this.#deps.reportScan.keys(selection, TRACES_AT_ONCE)) {
      if (traces >= MAX_TRACES || records >= MAX_RECORDS || builder.numNodes >= MAX_NODES) {
        has_all_traces = false;
        break;
      }
      const ids = keys.map(({ id }) => id);
      const outlines = await this.#deps.reportScan.outlines(project_id, run_id, ids);
      const byTrace = Map.groupBy(outlines, ({ trace_id }) => trace_id);
      for (const id of ids) builder.add(byTrace.get(id) ?? []);
      traces += ids.length;
      records += outlines.length;
    }
    return { ...builder.result(), has_all_traces };
  }
}
