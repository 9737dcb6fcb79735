import type { AuditEvent } from '../../access/audit/audit.ts';
import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { FileAddressing, FileUrls } from '../../files/file-urls.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { type PageFields, type PageRequest, toPage } from '../../kernel/query/page.ts';
import { knownRun } from '../../projects/known-run.ts';
import type { RunDirectory } from '../../projects/run-context.ts';
import { NO_METRICS } from '../../scores/metric-settings.ts';
import { recordsWithMetrics } from '../../scores/shown-metrics.ts';
import { findColumn } from '../columns/column.ts';
import { type BookmarkFilterDeps, withBookmarks } from '../read/bookmark-filter.ts';
import { scoredViews, type ViewDeps } from '../read/record-views.ts';
import { MAX_BYTES_OF_PAGE } from '../read/search-service.ts';
import { type PartialSearch, toSelection } from '../read/selection.ts';
import { shortened } from '../read/shorten.ts';
import { computeTree, type RecordTree } from '../record.ts';
import type { RecordCount, RecordSearch } from '../record-query.ts';
import type { RemovalCounts } from '../retention/record-removal.ts';
import type { TraceStore } from '../trace-store.ts';
import type { NewSession, Session, SessionView, StoredSession } from './session.ts';
import { isSessionColumn, NUM_TRACES, toSessionCondition, toSessionSort } from './session-column.ts';
import type { SessionSelection, SessionStore, TraceOfSession } from './session-store.ts';
import { type SessionViewDeps, scoredSessions } from './session-views.ts';

export interface SessionDeps extends ViewDeps, SessionViewDeps, BookmarkFilterDeps {
  readonly sessionStore: SessionStore;
  readonly traceStore: TraceStore;
  readonly runDirectory: RunDirectory;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly fileUrls: FileUrls;
}

/** How many records one reply shows at most: a trace alone may have as many. */
const MAX_RECORDS = 10_000;

/** Conversations of an application: sequences of traces. */
export class SessionService {
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
  }

  /** Returns the session that exists already when the run has one of this external id. */
  async createSession(caller: Caller, project_id: string, body: NewSession) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'log_data');
    const { run_id, project_name } = await knownRun(this.#deps.runDirectory, project_id, body);
    const { name = null, previous_session_id = null, external_id, user_metadata } = body;
    if (previous_session_id !== null && !(await this.#deps.sessionStore.find(project_id, previous_session_id, run_id)))
      throw previousUnknown(previous_session_id);
    const now = this.#deps.clock().toISOString();
    const facts = { name, previous_session_id, external_id, user_metadata, created_at: now, updated_at: now };
    const session: StoredSession = { project_id, run_id, id: this.#deps.newId(), ...facts };
    const stored = await this.#deps.sessionStore.findOrInsert(session, true);
    if (!stored) throw new AppError('conflict', 'session_exists', `session ${session.id} exists`);
    return {
      id: stored.id,
      name: stored.name,
      project_id,
      project_name,
      previous_session_id: stored.previous_session_id,
      external_id: stored.external_id,
    };
  }

  searchSessions(caller: Caller, project_id: string, body: RecordSearch) {
    return this.#search(caller, project_id, body, (view) => view);
  }

  /** As `searchSessions`, with the selected columns only. */
  searchSessionsPartly(caller: Caller, project_id: string, body: PartialSearch) {
    const isKnown = (id: string): boolean => isSessionColumn(id) || findColumn(id) !== undefined;
    const { pick } = toSelection(body.select_columns, isKnown);
    const include_counts = body.include_counts || body.select_columns.column_ids.includes(NUM_TRACES);
    return this.#search(caller, project_id, { ...body, include_counts }, pick);
  }

  async #search<T extends object>(caller: Caller, project_id: string, body: RecordSearch, show: (view: SessionView) => T) {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const { starting_token, include_counts, truncate_fields } = body;
    const after = body.previous_last_row_id ?? undefined;
    const settings = (await this.#deps.metricSettingsStore.find(project_id, run_id)) ?? NO_METRICS;
    const limit = Math.min(body.limit, recordsWithMetrics(settings));
    const where = toSessionCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const order = { where, sort: toSessionSort(body.sort), starting_token, limit, after };
    const { items, page } = toPage(await this.#deps.sessionStore.list({ project_id, run_id, ...order }), {
      starting_token,
      limit,
    });
    const views = await scoredSessions(this.#deps, { project_id, run_id }, items, include_counts ?? false);
    const shown = views.map(show);
    const records = truncate_fields ? shown.map(shortened) : shown;
    return { ...page, last_row_id: items.at(-1)?.id ?? null, records };
  }

  async countSessions(caller: Caller, project_id: string, body: RecordCount): Promise<{ total_count: number }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const where = toSessionCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    return { total_count: await this.#deps.sessionStore.count({ project_id, run_id, where }) };
  }

  /** Removes sessions with their traces, spans and scores; without conditions, all of the run. */
  async deleteSessions(caller: Caller, project_id: string, body: RecordCount): Promise<RemovalCounts & { message: string }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'delete_data');
    const { run_id } = await knownRun(this.#deps.runDirectory, project_id, body);
    const where = toSessionCondition(await withBookmarks(this.#deps, caller, project_id, run_id, body));
    const selection: SessionSelection = { project_id, run_id, where };
    // Noted before anything is gone: a process that dies on the way leaves a line that says what it was doing.
    await this.#note(caller, selection, { stage: 'begun' });
    const counts = await this.#deps.sessionStore.remove(selection);
    await this.#note(caller, selection, { stage: 'done', ...counts });
    return { message: `removed ${counts.traces} traces, ${counts.spans} spans and ${counts.sessions} sessions`, ...counts };
  }

  /** The session with a page of its traces, oldest first, each with its spans. Fewer than asked for when these are many. */
  async getSession(
    caller: Caller,
    project_id: string,
    id: string,
    { include_presigned_urls = false, ...request }: PageRequest & FileAddressing,
  ): Promise<SessionView & PageFields & { traces: RecordTree[] }> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    const session = await this.#deps.sessionStore.find(project_id, id);
    if (!session) throw new AppError('not_found', 'session_not_found', `session ${id} does not exist`);
    const listed = await this.#deps.sessionStore.listTraces(session, request);
    const shown = withinReply(listed.slice(0, request.limit));
    const next = shown.length < listed.length ? request.starting_token + shown.length : null;
    const page = { ...request, paginated: next !== null, next_starting_token: next };
    const [view] = await scoredSessions(this.#deps, session, [session], true);
    return {
      ...view!,
      ...page,
      traces: await this.#trees(session, shown, include_presigned_urls ? this.#deps.fileUrls : undefined),
    };
  }

  #note(caller: Caller, { project_id, run_id }: SessionSelection, details: AuditEvent['details']): Promise<void> {
    const event = { action: 'records.delete', object_kind: 'project', object_id: project_id };
    return this.#deps.transactions.run(() =>
      this.#deps.auditTrail.note(caller, { ...event, details: { run_id, level: 'session', ...details } }),
    );
  }

  async #trees(
    { project_id, run_id }: Session,
    traces: readonly TraceOfSession[],
    fileUrls: FileUrls | undefined,
  ): Promise<RecordTree[]> {
    const ids = traces.map(({ trace_id }) => trace_id);
    const records = await this.#deps.traceStore.listTraces(project_id, run_id, ids);
    const views = await scoredViews(this.#deps, project_id, run_id, records, fileUrls);
    const byTrace = Map.groupBy(views, ({ trace_id }) => trace_id);
    return ids.map((id) => computeTree(id, byTrace.get(id) ?? [])).filter((tree) => tree !== undefined);
  }
}

/** The first traces, as many as may be shown at once, up to the one that makes it as many bytes, and at least one. */
function withinReply(traces: readonly TraceOfSession[]): readonly TraceOfSession[] {
  let [records, bytes] = [0, 0];
  const end = traces.findIndex(({ num_records, num_bytes }, index) => {
    const isFull = bytes >= MAX_BYTES_OF_PAGE;
    records += num_records;
    bytes += num_bytes;
    return index > 0 && (isFull || records > MAX_RECORDS);
  });
  return end < 0 ? traces : traces.slice(0, end);
}

const previousUnknown = (id: string): AppError => {
  const msg = `session ${id} is none of this run`;
  return new AppError('invalid', 'previous_session_unknown', msg, {
    issues: [{ loc: ['body', 'previous_session_id'], msg, type: 'previous_session_unknown', input: id }],
  });
};
