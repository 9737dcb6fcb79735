import type {
  DataExportStore,
  ExportChange,
  ExportClaim,
  ExportedDay,
  ExportedPiece,
  ExportedScore,
  ExportedSession,
  ExportedState,
  StoredExport,
} from '../../../core/data-export/data-export-store.ts';
import type { ExportKey } from '../../../core/data-export/export-key.ts';
import type { ExportedRating } from '../../../core/data-export/rating-columns.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { Annotation, Feedback } from '../../../core/ratings/rating-store.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { StoredSession } from '../../../core/traces/sessions/session.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { MemoryRatingStore } from '../ratings/memory-rating-store.ts';
import type { MemoryScoreStore } from '../scorers/memory-score-store.ts';
import type { Table } from '../table.ts';
import type { MemorySessionStore } from '../traces/memory-session-store.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

type Export = Omit<StoredExport, 'num_waiting' | 'waiting_since' | 'is_unfinished'> & {
  readonly project_id: string;
  readonly is_removed: boolean;
  readonly target: string | null;
  readonly is_walking: boolean;
  readonly sequence: number;
  readonly planned_day: string | null;
  readonly attempt: number;
  readonly claimed_until: string | null;
};

/**
 * A record, the session that has its id, and their scores and ratings, as one look found them. Stored objects are never changed in place, so the same
 * ones are the same state.
 */
interface Sight {
  readonly record: LogRecord | undefined;
  readonly session: StoredSession | undefined;
  readonly scores: readonly Score[];
  readonly session_scores: readonly Score[];
  readonly ratings: readonly (Feedback | Annotation)[];
}

interface PlannedDay extends ExportedDay {
  readonly project_id: string;
}

interface Exported extends ExportKey {
  readonly project_id: string;
  readonly day: string;
  readonly state: ExportedState | undefined;
  /** Undefined: it has to be looked at again. */
  readonly seen: Sight | undefined;
}

const toDay = ({ created_at }: { readonly created_at: string }): string => created_at.slice(0, 'yyyy-mm-dd'.length);
const toRecordKey = ({ run_id, record_id }: ExportKey): string => `${record_id} ${run_id}`;
const WELL = { claimed_until: null, failures: 0, failure: null, failing_since: null } as const;

/**
 * Finds what has changed by looking at all records of the project, as the index in memory does: those that are not the objects that
 * were seen when the files were written.
 */
export class MemoryDataExportStore implements DataExportStore {
  readonly #exports: Table<string, Export>;
  readonly #exported: Table<string, Exported>;
  readonly #days: Table<string, PlannedDay>;
  /** Looks behind the tokens of listed changes. */
  #seen = new Map<string, Sight>();
  readonly #traceStore: Pick<MemoryTraceStore, 'toRecords'>;
  readonly #sessionStore: Pick<MemorySessionStore, 'toSessions'>;
  readonly #scoreStore: Pick<MemoryScoreStore, 'toScores'>;
  readonly #sessionScoreStore: Pick<MemoryScoreStore, 'toScores'>;
  readonly #ratingStore: Pick<MemoryRatingStore, 'toRatings' | 'listTemplates'>;

  constructor(deps: {
    database: MemoryDatabase;
    traceStore: Pick<MemoryTraceStore, 'toRecords'>;
    sessionStore: Pick<MemorySessionStore, 'toSessions'>;
    scoreStore: Pick<MemoryScoreStore, 'toScores'>;
    sessionScoreStore: Pick<MemoryScoreStore, 'toScores'>;
    ratingStore: Pick<MemoryRatingStore, 'toRatings' | 'listTemplates'>;
  }) {
    this.#days = deps.database.table();
    this.#sessionStore = deps.sessionStore;
    this.#sessionScoreStore = deps.sessionScoreStore;
    this.#ratingStore = deps.ratingStore;
    this.#exports = deps.database.table();
    this.#exported = deps.database.table();
    this.#traceStore = deps.traceStore;
    this.#scoreStore = deps.scoreStore;
  }

  async find(project_id: string): Promise<StoredExport | undefined> {
    const found = this.#exports.get(project_id);
    if (!found || found.is_removed) return undefined;
    const { is_enabled, content, is_walking, planned_day, num_files, num_rows, num_bytes, last_file } = found;
    const { failure, failures, failing_since, due_at } = found;
    const progress = { num_files, num_rows, num_bytes, last_file, failure, failures, failing_since, due_at };
    const is_unfinished = is_walking || planned_day !== null;
    return structuredClone({ is_enabled, content, is_unfinished, ...progress, ...this.#waiting(project_id) });
  }

  async set(
    project_id: string,
    { is_enabled, content }: Pick<StoredExport, 'is_enabled' | 'content'>,
    now: string,
  ): Promise<void> {
    const before = this.#exports.get(project_id);
    if (before?.is_removed) return;
    const isSame = before?.is_enabled && content.every((kind) => before.content.includes(kind));
    // A walk is over at once, but what was seen has to be looked at again.
    if (is_enabled && !isSame)
      for (const [key, exported] of this.#exported)
        if (exported.project_id === project_id) this.#exported.set(key, { ...exported, seen: undefined });
    const progress = { num_files: 0, num_rows: 0, num_bytes: 0, last_file: null, sequence: 0, planned_day: null, attempt: 0 };
    this.#exports.set(project_id, {
      ...{ project_id, target: null, is_removed: false, ...progress, ...WELL, ...before },
      ...{ is_enabled, content: [...content] },
      is_walking: is_enabled && (!isSame || before.is_walking),
      due_at: before?.is_enabled ? before.due_at : now,
    });
  }

  async claim(now: string, until: string): Promise<ExportClaim | undefined> {
    const due = [...this.#exports.values()].filter(
      ({ is_enabled, is_removed, due_at, claimed_until }) =>
        (is_enabled || is_removed) && due_at <= now && (claimed_until === null || claimed_until < now),
    );
    const [first] = due.sort((a, b) => compareText(a.due_at, b.due_at));
    if (!first) return undefined;
    const { project_id, is_removed, is_walking, target, failures, sequence, planned_day } = first;
    const attempt = first.attempt + 1;
    const isBusy = is_removed || is_walking;
    const day = isBusy ? undefined : (planned_day ?? this.#changes(project_id)[0]?.day);
    this.#exports.set(project_id, { ...first, attempt, claimed_until: until, planned_day: day ?? planned_day });
    const content = [...first.content];
    const is_repeated = planned_day !== null;
    const merge = isBusy || day !== undefined ? undefined : this.#nextDay(project_id, now);
    const facts = { project_id, attempt, content, target, is_removed, is_walking, failures };
    return { ...facts, day, sequence: sequence + 1, is_repeated, merge };
  }

  async release(claim: ExportClaim, due_at: string): Promise<boolean> {
    return this.#change(claim, () => ({ ...WELL, due_at }));
  }

  async fail(claim: ExportClaim, reason: string, now: string, due_at: string): Promise<boolean> {
    return this.#change(claim, ({ failures, failing_since }) => ({
      claimed_until: null,
      failure: reason,
      failures: failures + 1,
      failing_since: failing_since ?? now,
      due_at,
    }));
  }

  async restart(claim: ExportClaim, target: string, due_at: string): Promise<boolean> {
    const progress = { num_files: 0, num_rows: 0, num_bytes: 0, last_file: null };
    const isMine = this.#change(claim, () => ({ ...WELL, ...progress, target, is_walking: true, planned_day: null, due_at }));
    if (isMine) this.#drop(claim.project_id);
    return isMine;
  }

  async walk(claim: ExportClaim, _limit: number, due_at: string): Promise<boolean> {
    return this.#change(claim, () => ({ ...WELL, is_walking: false, due_at }));
  }

  async forget(claim: ExportClaim): Promise<boolean> {
    const found = this.#exports.get(claim.project_id);
    return found !== undefined && found.attempt === claim.attempt && found.is_removed && this.#exports.delete(claim.project_id);
  }

  async listChanges(project_id: string, day: string, limit: number): Promise<ExportChange[]> {
    const own = this.#changes(project_id).filter((change) => change.day === day);
    return structuredClone(own.slice(0, limit).map(({ day: _, ...change }) => change));
  }

  async readRecords(project_id: string, keys: readonly ExportKey[], max_bytes: number) {
    const byKey = this.#recordsByKey(project_id);
    const records: LogRecord[] = [];
    let settled = 0;
    for (let room = max_bytes; settled < keys.length && room > 0; settled += 1) {
      const record = byKey.get(toRecordKey(keys[settled]!));
      if (!record) continue;
      records.push(structuredClone(record));
      room -= JSON.stringify(record).length;
    }
    return { records, settled };
  }

  async listScores(project_id: string, keys: readonly ExportKey[]): Promise<ExportedScore[]> {
    const wanted = new Set(keys.map(toRecordKey));
    const of = (store: Pick<MemoryScoreStore, 'toScores'>, of_session: boolean): ExportedScore[] =>
      store.toScores(project_id).flatMap((score) => (wanted.has(toRecordKey(score)) ? [{ ...score, of_session }] : []));
    return structuredClone([...of(this.#scoreStore, false), ...of(this.#sessionScoreStore, true)]);
  }

  async listRatings(project_id: string, keys: readonly ExportKey[]): Promise<ExportedRating[]> {
    const wanted = new Set(keys.map(toRecordKey));
    const { feedback, annotations } = this.#ratingStore.toRatings(project_id);
    const types = new Map((await this.#ratingStore.listTemplates(project_id)).map((one) => [one.id, one.annotation_type]));
    const all: ExportedRating[] = [
      ...feedback.map(({ feedback_type: rating_type, ...rating }) => ({
        ...rating,
        ...{ source: 'feedback' as const, annotator_id: null, rating_type, is_decision: false },
      })),
      ...annotations.map(({ template_id: name, is_decision = false, ...rating }) => ({
        ...rating,
        ...{ source: 'annotation' as const, name, rating_type: types.get(name)!, is_decision },
      })),
    ];
    return structuredClone(all.filter((rating) => wanted.has(toRecordKey(rating))));
  }

  async listSessions(project_id: string, keys: readonly ExportKey[]): Promise<ExportedSession[]> {
    const wanted = new Set(keys.map(toRecordKey));
    const sessions = this.#sessionStore.toSessions(project_id).map(toSessionKey);
    return sessions.filter((session) => wanted.has(toRecordKey(session)));
  }

  async keepDay(claim: ExportClaim, day: string, next: ExportedDay | undefined, due_at: string): Promise<boolean> {
    if (!this.#change(claim, () => ({ ...WELL, due_at }))) return false;
    const key = `${claim.project_id} ${day}`;
    if (next) this.#days.set(key, { project_id: claim.project_id, ...next });
    else this.#days.delete(key);
    return true;
  }

  async commit(claim: ExportClaim, { changes, files, due_at, merge_at }: ExportedPiece): Promise<boolean> {
    const { project_id, day = '' } = claim;
    const sum = (name: 'num_rows' | 'num_bytes'): number => files.reduce((total, file) => total + file[name], 0);
    const isMine = this.#change(claim, (before) => ({
      ...WELL,
      planned_day: null,
      sequence: before.sequence + Math.min(files.length, 1),
      num_files: before.num_files + files.length,
      num_rows: before.num_rows + sum('num_rows'),
      num_bytes: before.num_bytes + sum('num_bytes'),
      last_file: files.at(-1) ?? before.last_file,
      due_at,
    }));
    if (!isMine) return false;
    if (files.length > 0 && merge_at !== null && !this.#days.has(`${project_id} ${day}`))
      this.#days.set(`${project_id} ${day}`, { project_id, day, due_at: merge_at, remove_at: null });
    for (const { run_id, record_id, token, state } of changes) {
      const seen = this.#seen.get(token);
      const key = `${project_id} ${day} ${record_id} ${run_id}`;
      if (state === undefined) this.#exported.delete(key);
      else if (seen) this.#exported.set(key, { project_id, day, run_id, record_id, state: structuredClone(state), seen });
    }
    this.#seen = new Map();
    return true;
  }

  async summary() {
    const enabled = [...this.#exports.values()].filter(({ is_enabled }) => is_enabled);
    const waiting = enabled.map(({ project_id }) => this.#waiting(project_id));
    const since = waiting.flatMap(({ waiting_since }) => waiting_since ?? []).sort(compareText);
    return {
      num_waiting: waiting.reduce((total, { num_waiting }) => total + num_waiting, 0),
      waiting_since: since[0] ?? null,
      num_failing: enabled.filter(({ failure }) => failure !== null).length,
    };
  }

  /** Of a project that is deleted: its files have to go. */
  removeProject(project_id: string): void {
    this.#drop(project_id);
    const found = this.#exports.get(project_id);
    if (!found) return;
    const due_at = found.claimed_until ?? found.due_at;
    const gone = { is_removed: true, is_enabled: false, is_walking: false, planned_day: null, due_at } as const;
    this.#exports.set(project_id, {
      ...found,
      ...gone,
      attempt: found.attempt + 1,
      failures: 0,
      failure: null,
      failing_since: null,
    });
  }

  #recordsByKey(project_id: string): Map<string, LogRecord> {
    return new Map(this.#traceStore.toRecords(project_id).map((record) => [`${record.id} ${record.run_id}`, record]));
  }

  #nextDay(project_id: string, now: string): ExportedDay | undefined {
    const due = [...this.#days.values()].filter((one) => one.project_id === project_id && one.due_at <= now);
    const [first] = due.sort((a, b) => compareText(a.due_at + a.day, b.due_at + b.day));
    return first && { day: first.day, due_at: first.due_at, remove_at: first.remove_at };
  }

  /** Changes of a project, in a fixed order. */
  #changes(project_id: string): (ExportChange & { readonly day: string })[] {
    const look = this.#look(project_id);
    const exported = [...this.#exported.values()].filter((one) => one.project_id === project_id);
    const byPlace = new Map(exported.map((one) => [`${one.day} ${toRecordKey(one)}`, one]));
    const places = new Map<string, ExportKey & { readonly day: string }>(byPlace);
    for (const { id: record_id, run_id, created_at } of [
      ...this.#traceStore.toRecords(project_id),
      ...this.#sessionStore.toSessions(project_id),
    ]) {
      const day = created_at.slice(0, 'yyyy-mm-dd'.length);
      places.set(`${day} ${record_id} ${run_id}`, { day, record_id, run_id });
    }
    const inOrder = [...places].sort(([a], [b]) => compareText(a, b));
    return inOrder.flatMap(([place, { day, record_id, run_id }]) => {
      const before = byPlace.get(place);
      const sight = look({ record_id, run_id }, day);
      if (before?.seen && isSameSight(before.seen, sight)) return [];
      // A session of which nothing is known is in no file.
      const isNothing = !sight.record && sight.session_scores.length === 0 && sight.ratings.length === 0;
      if (!before && isNothing) return [];
      const token = `${this.#seen.size}`;
      this.#seen.set(token, sight);
      return [{ day, record_id, run_id, token, exported: before?.state }];
    });
  }

  /** Returns a look at what has an id, as far as it is of a day. */
  #look(project_id: string): (key: ExportKey, day: string) => Sight {
    const records = this.#recordsByKey(project_id);
    const sessions = new Map(this.#sessionStore.toSessions(project_id).map((one) => [toRecordKey(toSessionKey(one)), one]));
    const scores = Map.groupBy(this.#scoreStore.toScores(project_id), toRecordKey);
    const sessionScores = Map.groupBy(this.#sessionScoreStore.toScores(project_id), toRecordKey);
    const { feedback, annotations } = this.#ratingStore.toRatings(project_id);
    const ratings = Map.groupBy([...feedback, ...annotations], toRecordKey);
    return (key, day) => {
      const place = toRecordKey(key);
      const [record, session] = [records.get(place), sessions.get(place)].map((one) =>
        one && toDay(one) === day ? one : undefined,
      );
      const isThere = record !== undefined || session !== undefined;
      return {
        record: record as LogRecord | undefined,
        session: session as StoredSession | undefined,
        scores: (record && scores.get(place)) ?? [],
        session_scores: (isThere && sessionScores.get(place)) || [],
        ratings: (isThere && ratings.get(place)) || [],
      };
    };
  }

  #waiting(project_id: string): Pick<StoredExport, 'num_waiting' | 'waiting_since'> {
    const changes = this.#changes(project_id);
    const times = changes.flatMap(({ token }) => this.#seen.get(token)?.record?.updated_at ?? []).sort(compareText);
    return { num_waiting: changes.length, waiting_since: times[0] ?? null };
  }

  #change({ project_id, attempt }: ExportClaim, change: (before: Export) => Partial<Export>): boolean {
    const before = this.#exports.get(project_id);
    if (!before || before.attempt !== attempt) return false;
    this.#exports.set(project_id, { ...before, ...change(before) });
    return true;
  }

  #drop(project_id: string): void {
    for (const table of [this.#exported, this.#days] as Table<string, { readonly project_id: string }>[])
      for (const [key, one] of table) if (one.project_id === project_id) table.delete(key);
  }
}

const toSessionKey = ({ id: record_id, run_id, created_at }: StoredSession): ExportedSession => ({
  record_id,
  run_id,
  created_at,
});

const isSameSight = (one: Sight, other: Sight): boolean =>
  one.record === other.record &&
  one.session === other.session &&
  (['scores', 'session_scores', 'ratings'] as const).every(
    (name) => one[name].length === other[name].length && one[name].every((it, at) => it === other[name][at]),
  );
