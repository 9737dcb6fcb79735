import { sql } from 'kysely';
import type { ExportedFile, ExportKind } from '../../../core/data-export/data-export.ts';
import type {
  DataExportStore,
  ExportChange,
  ExportClaim,
  ExportedDay,
  ExportedPiece,
  ExportedScore,
  ExportedSession,
  StoredExport,
} from '../../../core/data-export/data-export-store.ts';
import type { ExportKey } from '../../../core/data-export/export-key.ts';
import type { ExportedRating } from '../../../core/data-export/rating-columns.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { RatingValue } from '../../../core/ratings/rating.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { toPlainArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { decodeJson, decodeText, encodeText } from '../database/text-codec.ts';
import { type ScoreRow, toScore } from '../scorers/score-row.ts';
import { RECORD_SIZE } from '../traces/record-bytes.ts';
import { type RecordRow, toRecord } from '../traces/record-row.ts';
import { SELECT_RECORD } from '../traces/record-statements.ts';
import type { ExportWalk } from './data-export-tables.ts';
import {
  CLAIM,
  COMMIT,
  FAIL,
  FIND,
  FORGET,
  KEEP_DAY,
  KEEP_STATES,
  LEAVE_DAY,
  LEAVE_STATES,
  LIST_CHANGES,
  LIST_RATINGS,
  LIST_SCORES,
  LIST_SESSIONS,
  NEXT_DAY,
  PLAN_DAY,
  PLAN_MERGE,
  RELEASE,
  RESTART,
  SET,
  SUMMARY,
  TAKE_CHANGES,
  WALK_EXPORTED,
  WALK_RECORDS,
  WALK_SESSIONS,
  WALKED,
} from './export-statements.ts';

const SELECTED = sql.raw(SELECT_RECORD);
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface ClaimRow {
  readonly project_id: string;
  readonly attempt: string;
  readonly content: readonly ExportKind[];
  readonly target: string | null;
  readonly is_removed: boolean;
  readonly walk: ExportWalk | null;
  readonly failures: number;
  readonly sequence: string;
  readonly planned_day: string | null;
}

interface StoredRow extends Omit<StoredExport, 'num_files' | 'num_rows' | 'num_bytes' | 'last_file'> {
  readonly num_files: string;
  readonly num_rows: string;
  readonly num_bytes: string;
  readonly last_file: ExportedFile | null;
}

interface ChangeRow extends ExportKey {
  readonly token: string;
  readonly is_exported: boolean;
  readonly version: string | null;
  readonly scores: Readonly<Record<string, string>> | null;
  readonly session_scores: Readonly<Record<string, string>> | null;
  readonly ratings: Readonly<Record<string, string>> | null;
}

export class PostgresDataExportStore implements DataExportStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async find(project_id: string): Promise<StoredExport | undefined> {
    const [row] = await this.#session.sql<StoredRow>(FIND, [project_id]);
    return (
      row && {
        ...row,
        num_files: Number(row.num_files),
        num_rows: Number(row.num_rows),
        num_bytes: Number(row.num_bytes),
        failure: row.failure === null ? null : decodeText(row.failure),
        waiting_since: toTime(row.waiting_since),
        failing_since: toTime(row.failing_since),
        due_at: toTime(row.due_at)!,
      }
    );
  }

  async set(
    project_id: string,
    { is_enabled, content }: { readonly is_enabled: boolean; readonly content: readonly ExportKind[] },
    now: string,
  ): Promise<void> {
    await this.#session.sql(SET, [project_id, is_enabled, JSON.stringify(content), JSON.stringify(toWalk('exported')), now]);
  }

  claim(now: string, until: string): Promise<ExportClaim | undefined> {
    return this.#session.run(async () => {
      const [row] = await this.#session.sql<ClaimRow>(CLAIM, [now, until]);
      if (!row) return undefined;
      const { walk, sequence, attempt, planned_day, ...claim } = row;
      const isBusy = claim.is_removed || walk !== null;
      const [planned] =
        isBusy || planned_day !== null ? [] : await this.#session.sql<{ day: string }>(PLAN_DAY, [row.project_id]);
      const day = isBusy ? undefined : (planned_day ?? planned?.day);
      const isIdle = !isBusy && day === undefined;
      const [merge] = isIdle ? await this.#session.sql<ExportedDay>(NEXT_DAY, [row.project_id, now]) : [];
      return {
        ...claim,
        attempt: Number(attempt),
        is_walking: walk !== null,
        day,
        merge: merge && { ...merge, due_at: toTime(merge.due_at)!, remove_at: toTime(merge.remove_at) },
        sequence: Number(sequence) + 1,
        is_repeated: planned_day !== null,
      };
    });
  }

  release(claim: ExportClaim, due_at: string): Promise<boolean> {
    return this.#change(RELEASE, claim, due_at);
  }

  fail(claim: ExportClaim, reason: string, now: string, due_at: string): Promise<boolean> {
    return this.#change(FAIL, claim, encodeText(reason), now, due_at);
  }

  forget(claim: ExportClaim): Promise<boolean> {
    return this.#change(FORGET, claim);
  }

  restart(claim: ExportClaim, target: string, due_at: string): Promise<boolean> {
    return this.#session.run(async () => {
      const isMine = await this.#change(RESTART, claim, target, JSON.stringify(toWalk('exported')), due_at);
      if (isMine)
        for (const table of ['exported_records', 'exported_days'])
          await this.#session.sql(`delete from ${table} where project_id = $1`, [claim.project_id]);
      return isMine;
    });
  }

  walk(claim: ExportClaim, limit: number, due_at: string): Promise<boolean> {
    return retryOnConflict(() =>
      this.#session.run(async () => {
        const [row] = await this.#session.sql<{ walk: ExportWalk | null }>(
          'select walk from data_exports where project_id = $1 and attempt = $2 for update',
          [claim.project_id, claim.attempt],
        );
        if (!row?.walk) return false;
        const { of, record_id, run_id } = row.walk;
        const [step] = await this.#session.sql<ExportKey & { readonly total: number }>(WALKS[of].statement, [
          claim.project_id,
          record_id,
          run_id,
          limit,
        ]);
        const isMore = step !== undefined && step.total >= limit;
        const following = WALKS[of].next;
        const next = isMore ? { of, record_id: step.record_id, run_id: step.run_id } : following && toWalk(following);
        return this.#change(WALKED, claim, next && JSON.stringify(next), due_at);
      }),
    );
  }

  async listChanges(project_id: string, day: string, limit: number): Promise<ExportChange[]> {
    const rows = await this.#session.sql<ChangeRow>(LIST_CHANGES, [project_id, day, limit]);
    return rows.map(({ is_exported, version, scores, session_scores, ratings, ...change }) => ({
      ...change,
      exported: is_exported
        ? { version, scores: scores ?? {}, session_scores: session_scores ?? {}, ratings: ratings ?? {} }
        : undefined,
    }));
  }

  async readRecords(
    project_id: string,
    keys: readonly ExportKey[],
    max_bytes: number,
  ): Promise<{ readonly records: LogRecord[]; readonly settled: number }> {
    const [ids, runs] = toKeyColumns(keys);
    const size = sql.raw(RECORD_SIZE);
    const rows = await this.#session.rows(
      sql<RecordRow & { place: string }>`select * from (
         select ${SELECTED}, wanted.place, sum(${size}) over (order by wanted.place) - ${size} as before
         from unnest(${ids}::uuid[], ${runs}::uuid[]) with ordinality as wanted(id, run_id, place)
         cross join lateral (
           select * from records where project_id = ${project_id} and id = wanted.id and (run_id = wanted.run_id) is true offset 0
         ) r
       ) r where before < ${max_bytes} order by place`,
    );
    // Those that are gone leave gaps: whatever follows the last row is asked for again, unless there was none.
    return { records: rows.map(toRecord), settled: rows.length > 0 ? Number(rows.at(-1)!.place) : keys.length };
  }

  async listScores(project_id: string, keys: readonly ExportKey[]): Promise<ExportedScore[]> {
    const rows = await this.#session.sql<ScoreRow & { readonly of_session: boolean }>(LIST_SCORES, [
      project_id,
      ...toKeyColumns(keys),
    ]);
    return rows.map(({ of_session, ...row }) => ({ ...toScore(row), of_session }));
  }

  async listRatings(project_id: string, keys: readonly ExportKey[]): Promise<ExportedRating[]> {
    const rows = await this.#session.sql<ExportedRating>(LIST_RATINGS, [project_id, ...toKeyColumns(keys)]);
    return rows.map((row) => ({
      ...row,
      value: decodeJson(row.value) as RatingValue,
      explanation: row.explanation === null ? null : decodeText(row.explanation),
      rated_at: toUtc(row.rated_at)!,
    }));
  }

  async listSessions(project_id: string, keys: readonly ExportKey[]): Promise<ExportedSession[]> {
    const rows = await this.#session.sql<ExportedSession>(LIST_SESSIONS, [project_id, ...toKeyColumns(keys)]);
    return rows.map((row) => ({ ...row, created_at: toUtc(row.created_at)! }));
  }

  commit(claim: ExportClaim, { changes, files, due_at, merge_at }: ExportedPiece): Promise<boolean> {
    const sum = (name: 'num_rows' | 'num_bytes'): number => files.reduce((total, file) => total + file[name], 0);
    const last = files.at(-1);
    const progress = [files.length, sum('num_rows'), sum('num_bytes'), last ? JSON.stringify(last) : null, due_at];
    const kept = changes.filter(({ state }) => state !== undefined);
    const left = changes.filter(({ state, exported }) => state === undefined && exported !== undefined);
    return retryOnConflict(() =>
      this.#session.run(async () => {
        if (!(await this.#change(COMMIT, claim, ...progress))) return false;
        const states = JSON.stringify(
          kept.map(({ record_id, run_id, state }) => ({
            ...{ record_id, run_id, version: state!.version },
            scores: unlessEmpty(state!.scores),
            session_scores: unlessEmpty(state!.session_scores),
            ratings: unlessEmpty(state!.ratings),
          })),
        );
        if (kept.length > 0) await this.#session.sql(KEEP_STATES, [claim.project_id, claim.day, states]);
        if (left.length > 0) await this.#session.sql(LEAVE_STATES, [claim.project_id, claim.day, ...toKeyColumns(left)]);
        if (files.length > 0 && merge_at !== null) await this.#session.sql(PLAN_MERGE, [claim.project_id, claim.day, merge_at]);
        const tokens = toPlainArray(changes.map(({ token }) => token));
        if (changes.length > 0)
          await this.#session.sql(TAKE_CHANGES, [claim.project_id, claim.day, ...toKeyColumns(changes), tokens]);
        return true;
      }),
    );
  }

  keepDay(claim: ExportClaim, day: string, next: ExportedDay | undefined, due_at: string): Promise<boolean> {
    return this.#session.run(async () => {
      if (!(await this.#change(RELEASE, claim, due_at))) return false;
      const times = next ? [next.due_at, next.remove_at] : [];
      await this.#session.sql(next ? KEEP_DAY : LEAVE_DAY, [claim.project_id, day, ...times]);
      return true;
    });
  }

  async summary() {
    const [row] = await this.#session.sql<{ num_waiting: number; waiting_since: string | null; num_failing: number }>(SUMMARY);
    return { ...row!, waiting_since: toTime(row!.waiting_since) };
  }

  /** Runs a statement that changes the export of whoever still holds the claim. */
  async #change(statement: string, { project_id, attempt }: ExportClaim, ...values: readonly unknown[]): Promise<boolean> {
    return (await this.#session.sql(statement, [project_id, attempt, ...values])).length > 0;
  }
}

/** The parts of a walk, and which one follows. */
const WALKS = {
  exported: { statement: WALK_EXPORTED, next: 'records' },
  records: { statement: WALK_RECORDS, next: 'sessions' },
  sessions: { statement: WALK_SESSIONS, next: null },
} as const;

const toWalk = (of: ExportWalk['of']): ExportWalk => ({ of, record_id: NO_ID, run_id: NO_ID });

const unlessEmpty = (digests: Readonly<Record<string, string>>) => (Object.keys(digests).length > 0 ? digests : null);

const toTime = (stored: string | null): string | null => (stored === null ? null : toUtc(stored)!);

const toKeyColumns = (keys: readonly ExportKey[]): [string, string] => [
  toPlainArray(keys.map(({ record_id }) => record_id)),
  toPlainArray(keys.map(({ run_id }) => run_id)),
];
