import { sql } from 'kysely';
import type { ExportedFile, ExportKind } from '../../../core/data-export/data-export.ts';
import type {
  DataExportStore,
  ExportChange,
  ExportClaim,
  ExportedPiece,
  ExportKey,
  StoredExport,
} from '../../../core/data-export/data-export-store.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { toPlainArray } from '../database/array-text.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { retryOnConflict } from '../database/retry-on-conflict.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import { SCORE_NAMES, type ScoreRow, toScore } from '../scorers/score-row.ts';
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
  KEEP_STATES,
  LEAVE_STATES,
  LIST_CHANGES,
  PLAN_DAY,
  RELEASE,
  RESTART,
  SET,
  SUMMARY,
  TAKE_CHANGES,
  WALK_EXPORTED,
  WALK_RECORDS,
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
      return {
        ...claim,
        attempt: Number(attempt),
        is_walking: walk !== null,
        day: isBusy ? undefined : (planned_day ?? planned?.day),
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
      if (isMine) await this.#session.sql('delete from exported_records where project_id = $1', [claim.project_id]);
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
        const [step] = await this.#session.sql<ExportKey & { readonly total: number }>(
          of === 'exported' ? WALK_EXPORTED : WALK_RECORDS,
          [claim.project_id, record_id, run_id, limit],
        );
        const isMore = step !== undefined && step.total >= limit;
        const next = isMore
          ? { of, record_id: step.record_id, run_id: step.run_id }
          : of === 'exported'
            ? toWalk('records')
            : null;
        return this.#change(WALKED, claim, next && JSON.stringify(next), due_at);
      }),
    );
  }

  async listChanges(project_id: string, day: string, limit: number): Promise<ExportChange[]> {
    const rows = await this.#session.sql<ChangeRow>(LIST_CHANGES, [project_id, day, limit]);
    return rows.map(({ is_exported, version, scores, ...change }) => ({
      ...change,
      exported: is_exported ? { version, scores: scores ?? {} } : undefined,
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

  async listScores(project_id: string, keys: readonly ExportKey[]): Promise<Score[]> {
    const rows = await this.#session.sql<ScoreRow>(
      `select s.* from unnest($2::uuid[], $3::uuid[]) as wanted(id, run_id) cross join lateral (
         select ${SCORE_NAMES}, times_scored from scores
         where project_id = $1 and record_id = wanted.id and (run_id = wanted.run_id) is true offset 0
       ) s order by s.run_id, s.record_id, s.scored_at, s.scorer_version_id`,
      [project_id, ...toKeyColumns(keys)],
    );
    return rows.map(toScore);
  }

  commit(claim: ExportClaim, { changes, files, due_at }: ExportedPiece): Promise<boolean> {
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
            scores: Object.keys(state!.scores).length > 0 ? state!.scores : null,
          })),
        );
        if (kept.length > 0) await this.#session.sql(KEEP_STATES, [claim.project_id, claim.day, states]);
        if (left.length > 0) await this.#session.sql(LEAVE_STATES, [claim.project_id, claim.day, ...toKeyColumns(left)]);
        const tokens = toPlainArray(changes.map(({ token }) => token));
        if (changes.length > 0)
          await this.#session.sql(TAKE_CHANGES, [claim.project_id, claim.day, ...toKeyColumns(changes), tokens]);
        return true;
      }),
    );
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

const toWalk = (of: ExportWalk['of']): ExportWalk => ({ of, record_id: NO_ID, run_id: NO_ID });

const toTime = (stored: string | null): string | null => (stored === null ? null : toUtc(stored)!);

const toKeyColumns = (keys: readonly ExportKey[]): [string, string] => [
  toPlainArray(keys.map(({ record_id }) => record_id)),
  toPlainArray(keys.map(({ run_id }) => run_id)),
];
