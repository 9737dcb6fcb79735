import { computeDigest, type Sha256 } from '../kernel/digest.ts';
import type { LogRecord } from '../traces/record.ts';
import { EXPORT_KINDS, type ExportKind } from './data-export.ts';
import type { ExportChange, ExportClaim, ExportedScore, ExportedSession, ExportedState } from './data-export-store.ts';
import type { OpenParquetFile, ParquetColumn, ParquetFile, ParquetRow } from './parquet-file.ts';
import { type ExportedRating, RATING_COLUMNS, toGoneRatingValues, toRatingKey, toRatingValues } from './rating-columns.ts';
import { RECORD_COLUMNS, toGoneRecordValues, toRecordValues } from './record-columns.ts';
import { SCORE_COLUMNS, toGoneScoreValues, toScoreValues } from './score-columns.ts';

export interface DayFilesDeps {
  readonly openParquetFile: OpenParquetFile;
  readonly sha256: Sha256;
}

/** The part of a claim that files are made for. */
export type DayPlan = Pick<ExportClaim, 'project_id' | 'sequence' | 'content'> & { readonly day: string };

/** Present state of a record or a session, as far as it is exported. */
export interface ExportSubject {
  readonly record: LogRecord | undefined;
  readonly session: ExportedSession | undefined;
  readonly scores: readonly ExportedScore[];
  readonly ratings: readonly ExportedRating[];
}

export const FILE_COLUMNS: Readonly<Record<ExportKind, readonly ParquetColumn[]>> = {
  records: RECORD_COLUMNS,
  scores: SCORE_COLUMNS,
  ratings: RATING_COLUMNS,
};
/** Digits of digests that are kept: as many as a UUID has. */
const DIGEST_LENGTH = 32;

type Digests = Readonly<Record<string, string>>;
/** A row of something that belongs to a record; `more` of it is not in the digest. */
interface OwnRow {
  readonly key: string;
  readonly values: ParquetRow;
  readonly more?: ParquetRow;
}

/** The files of one piece of work: what has changed of a day since its files before, each version once. */
export class DayFiles {
  readonly #deps: DayFilesDeps;
  readonly #plan: DayPlan;
  readonly #files = new Map<ExportKind, ParquetFile>();
  #rows = getNoRows();

  constructor(deps: DayFilesDeps, plan: DayPlan) {
    this.#deps = deps;
    this.#plan = plan;
  }

  get num_bytes(): number {
    return [...this.#files.values()].reduce((sum, file) => sum + file.num_bytes, 0);
  }

  /** Takes in a record or session as it stands now, and returns the state that the files have of it then; undefined: nothing. */
  add(change: ExportChange, { record, session, scores, ratings }: ExportSubject): ExportedState | undefined {
    const isHere = this.#isOfDay(record?.created_at);
    const isSession = this.#isOfDay(session?.created_at ?? (isAlone(record) ? record?.created_at : undefined));
    const isRated = record ? isHere : isSession;
    const scored = (of_session: boolean, type: string | undefined): OwnRow[] =>
      scores
        .filter((score) => score.of_session === of_session)
        .map((score) => ({ key: score.scorer_version_id, values: toScoreValues(score), more: [type ?? null] }));
    const record_type = record?.type ?? 'session';
    const { exported } = change;
    const state = {
      version: this.#addRecord(change, isHere ? record : undefined),
      scores: this.#addOwn({ kind: 'scores', before: exported?.scores, now: isHere && scored(false, record?.type) }, (key) => [
        ...toGoneScoreValues(this.#plan.project_id, change, key),
        null,
      ]),
      session_scores: this.#addOwn(
        { kind: 'scores', before: exported?.session_scores, now: isSession && scored(true, 'session') },
        (key) => [...toGoneScoreValues(this.#plan.project_id, change, key), 'session'],
      ),
      ratings: this.#addOwn(
        {
          kind: 'ratings',
          before: exported?.ratings,
          now: isRated && ratings.map((one) => ({ key: toRatingKey(one), values: toRatingValues({ ...one, record_type }) })),
        },
        (key) => toGoneRatingValues(this.#plan.project_id, change, key),
      ),
    };
    const { version, ...own } = state;
    return version === null && Object.values(own).every((some) => Object.keys(some).length === 0) ? undefined : state;
  }

  /** Ends the row groups. */
  flush(): void {
    for (const kind of EXPORT_KINDS) {
      const rows = this.#rows[kind];
      if (rows.length === 0) continue;
      const file = this.#files.get(kind) ?? this.#deps.openParquetFile(FILE_COLUMNS[kind]);
      this.#files.set(kind, file);
      file.append(rows);
    }
    this.#rows = getNoRows();
  }

  /** Returns the files that have rows. */
  finish(): { readonly kind: ExportKind; readonly num_rows: number; readonly content: Uint8Array }[] {
    this.flush();
    return [...this.#files].map(([kind, file]) => ({ kind, num_rows: file.num_rows, content: file.finish() }));
  }

  #isOfDay(created_at: string | undefined): boolean {
    return created_at?.slice(0, 'yyyy-mm-dd'.length) === this.#plan.day;
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

  /** Adds what belongs to a record, each by its key; false: the record is not here, and so nothing of it is. */
  #addOwn(
    {
      kind,
      before = {},
      now,
    }: { readonly kind: ExportKind; readonly before: Digests | undefined; readonly now: readonly OwnRow[] | false },
    toGone: (key: string) => ParquetRow,
  ): Digests {
    if (now && !this.#plan.content.includes(kind)) return before;
    const versions: [string, string][] = [];
    for (const { key, values, more = [] } of now || []) {
      const version = this.#computeVersion(values);
      versions.push([key, version]);
      if (version !== before[key]) this.#put(kind, false, [...values, ...more]);
    }
    const digests = Object.fromEntries(versions);
    for (const key of Object.keys(before)) if (!Object.hasOwn(digests, key)) this.#put(kind, true, toGone(key));
    return digests;
  }

  #put(kind: ExportKind, deleted: boolean, values: ParquetRow): void {
    this.#rows[kind].push([this.#plan.sequence, deleted, ...values]);
  }

  #computeVersion(values: ParquetRow): string {
    return computeDigest(JSON.stringify(values), this.#deps.sha256).slice(0, DIGEST_LENGTH);
  }
}

const getNoRows = (): Record<ExportKind, ParquetRow[]> => ({ records: [], scores: [], ratings: [] });

/** Whether a record is a trace that is a session by itself. */
const isAlone = (record: LogRecord | undefined): boolean => record?.type === 'trace' && record.session_id === record.id;
