import { AppError } from '../../../core/kernel/errors.ts';
import type { JsonValue } from '../../../core/kernel/json.ts';
import type { RunDirectory } from '../../../core/projects/run-context.ts';
import type { RatingColumn } from '../../../core/ratings/rating-column.ts';
import type { RecordKey } from '../../../core/ratings/rating-store.ts';
import { type Judged, NOT_JUDGED } from '../../../core/traces/columns/column.ts';
import { LARGE_FIELDS } from '../../../core/traces/read/projected-record.ts';
import { byColumn, matches } from '../../../core/traces/read/record-match.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import {
  addRemovalCounts,
  NOTHING_REMOVED,
  type RecordRemoval,
  type RemovalCounts,
} from '../../../core/traces/retention/record-removal.ts';
import { type Session, type StoredSession, toStoredSession } from '../../../core/traces/sessions/session.ts';
import { filteredAs } from '../../../core/traces/sessions/session-column.ts';
import { computeSessionMetrics } from '../../../core/traces/sessions/session-metrics.ts';
import type {
  SessionListing,
  SessionSelection,
  SessionStore,
  TraceOfSession,
} from '../../../core/traces/sessions/session-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export interface MemorySessionDeps {
  readonly runDirectory: RunDirectory;
  /** All records of a project. */
  records(project_id: string): readonly LogRecord[];
  /** Returns the value of a column of ratings of a session; null where there is none. */
  toRating(key: RecordKey, column: RatingColumn): JsonValue;
  /** Returns how many comments a record or a session has. */
  countComments(key: RecordKey): number;
  /** Removes the ratings of sessions. */
  removeRatings(project_id: string, run_id: string, ids: readonly string[]): void;
  readonly removeTraces: RecordRemoval['removeTraces'];
  /** Notes that users created sessions in a run. */
  markRun(project_id: string, run_id: string): void;
}

type Key = Pick<StoredSession, 'project_id' | 'run_id' | 'id'>;
const getKey = ({ project_id, run_id, id }: Key): string => `${project_id} ${run_id} ${id}`;
const inTime = byColumn({ column_id: 'created_at', ascending: true });

export class MemorySessionStore implements SessionStore {
  readonly #deps: MemorySessionDeps;
  readonly #sessions: Table<string, StoredSession>;
  /** Keys of those that nobody created: traces were logged under them. */
  readonly #derived: Table<string, true>;

  constructor(deps: MemorySessionDeps & { readonly database: MemoryDatabase }) {
    this.#deps = deps;
    this.#sessions = deps.database.table();
    this.#derived = deps.database.table();
  }

  async findOrInsert(session: StoredSession, is_user_created: boolean): Promise<StoredSession | undefined> {
    const { project_id, run_id, external_id } = session;
    if (!(await this.#deps.runDirectory.findRun(project_id, run_id, true)))
      throw new AppError('not_found', 'run_not_found', `project ${project_id} has no run ${run_id}`);
    if (is_user_created) this.#deps.markRun(project_id, run_id);
    const named = external_id === null ? undefined : this.#named(project_id, run_id, external_id);
    if (named && is_user_created) this.#derived.delete(getKey(named));
    if (named) return structuredClone(named);
    if (this.#sessions.has(getKey(session))) return undefined;
    this.#put(session, !is_user_created);
    return structuredClone(session);
  }

  async findByExternalId(project_id: string, run_id: string, external_id: string): Promise<StoredSession | undefined> {
    return structuredClone(this.#named(project_id, run_id, external_id));
  }

  async holds(project_id: string, run_id: string, id: string): Promise<boolean> {
    return (await this.find(project_id, id, run_id)) !== undefined;
  }

  async find(project_id: string, id: string, run_id?: string): Promise<Session | undefined> {
    const here = (one: Key): boolean => one.id === id && (run_id === undefined || one.run_id === run_id);
    const kept = [...this.#sessions.values()].filter((session) => session.project_id === project_id && here(session));
    const own = this.#own(project_id).filter(here);
    const [newest] = (kept.length > 0 ? kept : own).map((session) => this.#shown(session)).sort(newestFirst);
    return newest;
  }

  async list({ sort, starting_token, limit, after, ...selection }: SessionListing): Promise<Session[]> {
    const compare = byColumn(sort, (session) => numbered(this.#judged(session)));
    const order = (a: Session, b: Session): number => compare(filteredAs(a), filteredAs(b));
    const last = after === undefined ? undefined : this.#all(selection).find(({ id }) => id === after);
    if (after !== undefined && !last) return [];
    const ordered = this.#select(selection).sort(order);
    const behind = last ? ordered.filter((session) => order(session, last) > 0) : ordered;
    return behind.slice(starting_token, starting_token + limit + 1);
  }

  async count(selection: SessionSelection): Promise<number> {
    return this.#select(selection).length;
  }

  async listTraces(session: Key, page: { readonly starting_token: number; readonly limit: number }): Promise<TraceOfSession[]> {
    const records = this.#deps.records(session.project_id).filter(({ run_id }) => run_id === session.run_id);
    const traces = tracesIn(session, records).slice(page.starting_token, page.starting_token + page.limit + 1);
    const byTrace = Map.groupBy(records, ({ trace_id }) => trace_id);
    return traces.map(({ id }) => {
      const own = byTrace.get(id) ?? [];
      const sizes = own.map((record) => Buffer.byteLength(JSON.stringify(LARGE_FIELDS.map((name) => record[name]))));
      return { trace_id: id, num_records: own.length, num_bytes: sizes.reduce((all, size) => all + size, 0) };
    });
  }

  async remove(selection: SessionSelection): Promise<RemovalCounts> {
    const sessions = this.#select(selection);
    let counts = NOTHING_REMOVED;
    for (const session of sessions) {
      const { project_id, run_id } = session;
      const traces = tracesIn(session, this.#deps.records(project_id)).map(({ id }) => id);
      counts = addRemovalCounts(counts, await this.#deps.removeTraces(project_id, run_id, traces));
      this.#deps.removeRatings(project_id, run_id, [session.id]);
      this.#sessions.delete(getKey(session));
      this.#derived.delete(getKey(session));
    }
    return { ...counts, sessions: sessions.length };
  }

  /** Keeps the sessions that are not there yet. */
  keep(sessions: readonly StoredSession[]): void {
    for (const session of sessions) if (!this.#sessions.has(getKey(session))) this.#put(session, true);
  }

  /** Sessions of a project that are more than a trace by themselves; the objects are the store's own and MUST NOT be changed. */
  toSessions(project_id: string): readonly StoredSession[] {
    return [...this.#sessions.values()].filter((session) => session.project_id === project_id);
  }

  /** Those of the sessions that nobody created. */
  derivedAmong(project_id: string, run_id: string, ids: readonly string[]): string[] {
    return ids.filter((id) => this.#derived.has(getKey({ project_id, run_id, id })));
  }

  removeAll(project_id: string, run_id?: string): void {
    for (const [key, session] of this.#sessions) {
      if (session.project_id !== project_id || (run_id !== undefined && session.run_id !== run_id)) continue;
      this.#sessions.delete(key);
      this.#derived.delete(key);
    }
  }

  #put(session: StoredSession, is_derived: boolean): void {
    this.#sessions.set(getKey(session), structuredClone(session));
    if (is_derived) this.#derived.set(getKey(session), true);
  }

  #named(project_id: string, run_id: string, external_id: string): StoredSession | undefined {
    return [...this.#sessions.values()].find(
      (session) => session.project_id === project_id && session.run_id === run_id && session.external_id === external_id,
    );
  }

  /** Traces that are a session by themselves, unless one is kept under their id. */
  #own(project_id: string): StoredSession[] {
    const traces = this.#deps.records(project_id).filter(({ type, id, session_id }) => type === 'trace' && session_id === id);
    return traces.map(toStoredSession).filter((session) => !this.#sessions.has(getKey(session)));
  }

  #all({ project_id, run_id }: Pick<SessionSelection, 'project_id' | 'run_id'>): Session[] {
    const kept = [...this.#sessions.values()].filter((session) => session.project_id === project_id);
    const all = [...kept, ...this.#own(project_id)].filter((session) => session.run_id === run_id);
    return all.map((session) => this.#shown(session));
  }

  #select({ where, ...run }: SessionSelection): Session[] {
    return this.#all(run).filter((session) => matches(where, filteredAs(session), this.#judged(session)));
  }

  #judged({ project_id, run_id, id: record_id }: Key): Judged {
    const key = { project_id, run_id, record_id };
    return {
      ...NOT_JUDGED,
      rating: (column) => this.#deps.toRating(key, column),
      comments: () => this.#deps.countComments(key),
    };
  }

  #shown(session: StoredSession): Session {
    const records = this.#deps.records(session.project_id);
    const traces = tracesIn(session, records);
    const calls = records.filter(({ type, run_id }) => type === 'llm' && run_id === session.run_id);
    return {
      ...structuredClone(session),
      input: structuredClone(traces[0]?.input ?? ''),
      output: structuredClone(traces.at(-1)?.output ?? null),
      num_traces: traces.length,
      is_implicit: !this.#sessions.has(getKey(session)),
      is_complete: traces.every(({ is_complete }) => is_complete),
      metrics: computeSessionMetrics(traces, calls),
    };
  }
}

const tracesIn = ({ run_id, id }: Key, records: readonly LogRecord[]): LogRecord[] =>
  records.filter((record) => record.type === 'trace' && record.run_id === run_id && record.session_id === id).sort(inTime);

/** Numbers, and yes and no as such: the ratings that sessions are ordered by. */
const numbered = (judged: Judged): Judged => ({
  ...judged,
  rating: (column) => {
    const value = judged.rating(column);
    return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null;
  },
});

const newestFirst = (a: Session, b: Session): number => byNewest(filteredAs(a), filteredAs(b));
const byNewest = byColumn({ column_id: 'created_at', ascending: false });
