import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Transactions } from '../../kernel/ports.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { type RecordSelection, toRecordCondition, toRecordSort } from '../record-query.ts';
import { toSessionCondition, toSessionSort } from '../sessions/session-column.ts';
import type { SessionListing, SessionStore } from '../sessions/session-store.ts';
import { type SessionViewDeps, scoredSessions } from '../sessions/session-views.ts';
import type { TraceStore } from '../trace-store.ts';
import { type BookmarkFilterDeps, withBookmarks } from './bookmark-filter.ts';
import { type ExportFormat, type ExportRequest, type ExportRow, getFormat, redacted } from './export.ts';
import type { QueryEstimate } from './query-cost.ts';
import type { QueryGuard } from './query-guard.ts';
import type { RecordScan } from './record-scan.ts';
import { scoredViews, type ViewDeps } from './record-views.ts';

export interface ExportDeps extends ViewDeps, SessionViewDeps, BookmarkFilterDeps {
  readonly reportScan: RecordScan;
  readonly traceStore: TraceStore;
  readonly sessionStore: SessionStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly queryGuard: QueryGuard;
}

export interface Export {
  readonly content_type: string;
  readonly file_name: string;
  /** Made as it is read: whoever stops reading stops the work. */
  readonly chunks: AsyncIterable<string>;
}

const CHUNK_LENGTH = 64 * 1024;
/** As many scorers as a run may have, 200, say something of each: no more records are shown with all of it, see `recordsWithMetrics`. */
const RECORDS_AT_ONCE = 100;
const SESSIONS_AT_ONCE = 100;

/** Writing out any number of records. */
export class ExportService {
  readonly #deps: ExportDeps;

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /** Exports records. Whatever can be refused is refused before there is anything to read. */
  async export(caller: Caller, project_id: string, request: ExportRequest): Promise<Export> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'export_data');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, request);
    const body = await withBookmarks(this.#deps, caller, project_id, run_id, request);
    const format = getFormat(body);
    const rows =
      body.root_type === 'session' ? this.#sessions(project_id, run_id, body) : this.#records(project_id, run_id, body);
    const estimate = await this.#admit(caller, project_id, run_id, body);
    if (estimate) return toExplained(estimate);
    const { root_type, export_format, redact } = body;
    const event = { action: 'records.export', object_kind: 'project', object_id: project_id };
    const details = { run_id, root_type, export_format, redact };
    await this.#deps.transactions.run(() => this.#deps.auditTrail.note(caller, { ...event, details }));
    const file_name = body.file_name || `${root_type}s.${format.extension}`;
    return { content_type: format.content_type, file_name, chunks: written(rows, format) };
  }

  /** Sessions go through the traces of the run, whatever their filters. */
  #admit(caller: Caller, project_id: string, run_id: string, body: ExportRequest): Promise<QueryEstimate | undefined> {
    const isOfSessions = body.root_type === 'session';
    const selection: RecordSelection = isOfSessions
      ? { project_id, run_id, level: 'trace', where: { and: [] } }
      : toRecordSelection(project_id, run_id, body);
    return this.#deps.queryGuard.admit(caller, { selection }, body);
  }

  #records(project_id: string, run_id: string, body: ExportRequest): AsyncIterable<readonly ExportRow[]> {
    return this.#recordRows(toRecordSelection(project_id, run_id, body), toRecordSort(body.sort), body);
  }

  async *#recordRows(
    selection: RecordSelection,
    sort: ReturnType<typeof toRecordSort>,
    { redact, column_ids }: Pick<ExportRequest, 'redact' | 'column_ids'>,
  ): AsyncGenerator<readonly ExportRow[]> {
    const withModels = selection.level === 'trace' && column_ids?.includes('model');
    for await (const page of this.#deps.reportScan.records(selection, sort)) {
      for (let at = 0; at < page.length; at += RECORDS_AT_ONCE) {
        const records = page.slice(at, at + RECORDS_AT_ONCE);
        const views: readonly ExportRow[] = await scoredViews(this.#deps, selection.project_id, selection.run_id, records);
        const rows = withModels ? await this.#withModels(selection, views) : views;
        yield redact ? rows.map(redacted) : rows;
      }
    }
  }

  /** Traces with the models that their calls name, in the column `model`. */
  async #withModels({ project_id, run_id }: RecordSelection, traces: readonly ExportRow[]): Promise<readonly ExportRow[]> {
    const ids = traces.map(({ id }) => String(id));
    const models = await this.#deps.traceStore.models(project_id, run_id, ids);
    return traces.map((trace) => ({ ...trace, model: models.get(String(trace.id)) ?? [] }));
  }

  #sessions(project_id: string, run_id: string, body: ExportRequest): AsyncIterable<readonly ExportRow[]> {
    const order = { where: toSessionCondition(body), sort: toSessionSort(body.sort), starting_token: 0, limit: SESSIONS_AT_ONCE };
    return this.#sessionRows({ project_id, run_id, ...order, after: undefined }, body.redact);
  }

  /** Rows of sessions. The traces' payloads have no redacted form there: they are left out where that is asked for. */
  async *#sessionRows(first: SessionListing, redact: boolean): AsyncGenerator<readonly ExportRow[]> {
    for (let listing = first; ; ) {
      const found = await this.#deps.sessionStore.list(listing);
      const sessions = found.slice(0, listing.limit);
      const last = sessions.at(-1);
      if (!last) return void (await this.#authorizeEnd(listing));
      const views = await scoredSessions(this.#deps, listing, sessions, true);
      yield views.map((view) => ({ ...view, ...(redact ? { input: null, output: null } : {}) }));
      if (found.length <= listing.limit) return;
      listing = { ...listing, after: last.id };
    }
  }

  /** Nothing lies behind a session that was removed: a file that ended there would be short without a word. */
  async #authorizeEnd({ project_id, run_id, after }: SessionListing): Promise<void> {
    if (after === undefined || (await this.#deps.sessionStore.find(project_id, after, run_id))) return;
    throw new Error(`session ${after} was removed while the export had reached it`);
  }
}

const toRecordSelection = (project_id: string, run_id: string, body: ExportRequest): RecordSelection => ({
  ...{ project_id, run_id, level: body.root_type === 'span' ? 'span' : 'trace' },
  where: toRecordCondition(body),
});

const toExplained = (estimate: QueryEstimate): Export => ({
  ...{ content_type: 'application/json; charset=utf-8', file_name: 'estimate.json' },
  chunks: only(JSON.stringify({ estimate })),
});

async function* only(chunk: string): AsyncGenerator<string> {
  yield chunk;
}

async function* written(pages: AsyncIterable<readonly ExportRow[]>, format: ExportFormat): AsyncGenerator<string> {
  let chunk = format.head;
  for await (const rows of pages) {
    for (const row of rows) {
      chunk += format.line(row);
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}
