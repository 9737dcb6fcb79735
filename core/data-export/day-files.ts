import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import type { Score } from '../scores/score.ts';
import type { LogRecord } from '../traces/record.ts';
import type { ExportKind } from './data-export.ts';
import type { ExportChange, ExportClaim, ExportedState } from './data-export-store.ts';
import type { OpenParquetFile, ParquetFile, ParquetRow } from './parquet-file.ts';
import { RECORD_COLUMNS, toGoneRecordValues, toRecordValues } from './record-columns.ts';
import { SCORE_COLUMNS, toGoneScoreValues, toScoreValues } from './score-columns.ts';

export interface DayFilesDeps {
  readonly openParquetFile: OpenParquetFile;
  readonly sha256: Sha256;
}

/** The part of a claim that files are made for. */
export type DayPlan = Pick<ExportClaim, 'project_id' | 'sequence' | 'content'> & { readonly day: string };

const COLUMNS = { records: RECORD_COLUMNS, scores: SCORE_COLUMNS } as const;
/** Digits of digests that are kept: as many as a UUID has. */
const DIGEST_LENGTH = 32;
const SEQUENCE_LENGTH = 12;

/** Key of a file: partitions are named as Hive names them, which DuckDB, Spark and ClickHouse read. */
export const toFileKey = ({ project_id, day, sequence }: Omit<DayPlan, 'content'>, kind: ExportKind): string =>
  `${toProjectPrefix(project_id)}day=${day}/${kind}-${String(sequence).padStart(SEQUENCE_LENGTH, '0')}.parquet`;

export const toProjectPrefix = (project_id: string): string => `project=${project_id}/`;

/** The files of one piece of work: what has changed of a day since its files before, each version once. */
export class DayFiles {
  readonly #deps: DayFilesDeps;
  readonly #plan: DayPlan;
  readonly #files = new Map<ExportKind, ParquetFile>();
  #rows: Record<ExportKind, ParquetRow[]> = { records: [], scores: [] };

  constructor(deps: DayFilesDeps, plan: DayPlan) {
    this.#deps = deps;
    this.#plan = plan;
  }

  get num_bytes(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.num_bytes, 0);
  }

  /** Takes in a record as it stands now, undefined when it is gone, and returns the state that the files have of it then. */
  add(change: ExportChange, record: LogRecord | undefined, scores: readonly Score[]): ExportedState | undefined {
    const isHere = record?.created_at.slice(0, 'yyyy-mm-dd'.length) === this.#plan.day;
    const version = this.#addRecord(change, isHere ? record : undefined);
    const state = { version, scores: this.#addScores(change, isHere ? scores : undefined) };
    return version === null && Object.keys(state.scores).length === 0 ? undefined : state;
  }

  /** Ends the row groups. */
  flush(): void {
    for (const kind of ['records', 'scores'] as const) {
      const rows = this.#rows[kind];
      if (rows.length === 0) continue;
      const file = this.#files.get(kind) ?? this.#deps.openParquetFile(COLUMNS[kind]);
      this.#files.set(kind, file);
      file.append(rows);
    }
    this.#rows = { records: [], scores: [] };
  }

  /** Returns the files that have rows. */
  finish(): { readonly kind: ExportKind; readonly num_rows: number; readonly content: Uint8Array }[] {
    this.flush();
    return [...this.#files].map(([kind, file]) => ({ kind, num_rows: file.num_rows, content: file.finish() }));
  }

  #addRecord(change: ExportChange, record: LogRecord | undefined): string | null {
    const before = change.exported?.version ?? null;
    if (record === undefined) {
      if (before !== null) this.#put('records', true, toGoneRecordValues(this.#plan.project_id, change));
      return null;
    }
    if (!this.#plan.content.includes('records')) return before;
    const values = toRecordValues(record);
    const version = this.#computeVersion(values);
    if (version !== before) this.#put('records', false, values);
    return version;
  }

  #addScores(change: ExportChange, scores: readonly Score[] | undefined): Readonly<Record<string, string>> {
    const before = change.exported?.scores ?? {};
    if (scores && !this.#plan.content.includes('scores')) return before;
    const now: Record<string, string> = {};
    for (const score of scores ?? []) {
      const values = toScoreValues(score);
      const version = this.#computeVersion(values);
      now[score.scorer_version_id] = version;
      if (version !== before[score.scorer_version_id]) this.#put('scores', false, values);
    }
    for (const id of Object.keys(before))
      if (!Object.hasOwn(now, id)) this.#put('scores', true, toGoneScoreValues(this.#plan.project_id, change, id));
    return now;
  }

  #put(kind: ExportKind, deleted: boolean, values: ParquetRow): void {
    this.#rows[kind].push([this.#plan.sequence, deleted, ...values]);
  }

  #computeVersion(values: ParquetRow): string {
    return computeDigest(JSON.stringify(values), this.#deps.sha256).slice(0, DIGEST_LENGTH);
  }
}
