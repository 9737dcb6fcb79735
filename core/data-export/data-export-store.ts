import type { Score } from '../scores/score.ts';
import type { LogRecord } from '../traces/record.ts';
import type { ExportedFile, ExportKind } from './data-export.ts';
import type { ExportKey } from './export-key.ts';
import type { ExportedRating } from './rating-columns.ts';

/**
 * Contents of the newest rows of a record, and of the session that has the same id, in the files of a day, as digests: a trace without
 * a session is one by itself.
 */
export interface ExportedState {
  /** Null: of the record itself there is no row, or it is marked as deleted. */
  readonly version: string | null;
  /** By scorer version. */
  readonly scores: Readonly<Record<string, string>>;
  readonly session_scores: Readonly<Record<string, string>>;
  /** By `toRatingKey`. */
  readonly ratings: Readonly<Record<string, string>>;
}

/** A score, and whether the session is judged or the record. */
export interface ExportedScore extends Score {
  readonly of_session: boolean;
}

/** A session that is more than a trace by itself. */
export interface ExportedSession extends ExportKey {
  readonly created_at: string;
}

/** A record or session that has to be looked at for the files of one day. */
export interface ExportChange extends ExportKey {
  /** Tells this change from a later one of the same record. */
  readonly token: string;
  readonly exported: ExportedState | undefined;
}

/** State of a project's export, as far as it is stored. */
export interface StoredExport {
  readonly is_enabled: boolean;
  readonly content: readonly ExportKind[];
  readonly num_waiting: number;
  /** Whether something was begun that is not at its end: to put on the list what stood before, or to write files. */
  readonly is_unfinished: boolean;
  /** When the oldest change that waits was noted. */
  readonly waiting_since: string | null;
  readonly num_files: number;
  readonly num_rows: number;
  readonly num_bytes: number;
  readonly last_file: ExportedFile | null;
  readonly failure: string | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly due_at: string;
}

/** A project that a worker has taken, and the piece of work that comes next. */
export interface ExportClaim {
  readonly project_id: string;
  /** Tells this claim from those of others: who has been overtaken commits nothing. */
  readonly attempt: number;
  readonly content: readonly ExportKind[];
  /** Where the files so far are; null before the first. */
  readonly target: string | null;
  /** Whether the project is deleted: its files have to go. */
  readonly is_removed: boolean;
  /** Whether records that stood before it was enabled still have to be put on the list of changes. */
  readonly is_walking: boolean;
  /** How often it failed in a row. */
  readonly failures: number;
  /** The day whose files come next; undefined where nothing waits. */
  readonly day: string | undefined;
  /** Number of the next files. */
  readonly sequence: number;
  /** Whether somebody has begun with these files before and left no word: some of them may be there. */
  readonly is_repeated: boolean;
  /** Where nothing waits: a day whose files are due to be put together. */
  readonly merge: ExportedDay | undefined;
}

/** A day whose files are to be put together. */
export interface ExportedDay {
  readonly day: string;
  /** When it is looked at next. */
  readonly due_at: string;
  /** When files that were put together may be removed; null: whether some are to be is not known yet. */
  readonly remove_at: string | null;
}

/** A piece of work that is done. */
export interface ExportedPiece {
  /** Changes that have been looked at, each with the state that the files have of it now; undefined: nothing but that it is deleted. */
  readonly changes: readonly (ExportChange & { readonly state: ExportedState | undefined })[];
  readonly files: readonly ExportedFile[];
  readonly due_at: string;
  /** When the files of the day are put together, unless that is planned already; null: never. */
  readonly merge_at: string | null;
}

/**
 * Second reader of the ordered list of changes: for projects whose export is enabled the record index, which reads first, hands
 * its entries on. For each record and day the store remembers what the files say, so that each version is written once.
 *
 * Days are those of `created_at` in UTC, as `yyyy-mm-dd`. Methods that take a claim do nothing and return false where it has been overtaken.
 */
export interface DataExportStore {
  /** Returns undefined of a project that never had one. */
  find(project_id: string): Promise<StoredExport | undefined>;
  /** Stores settings. Where it is enabled by that, or gets another kind of files, every record of the project is looked at again. */
  set(
    project_id: string,
    settings: { readonly is_enabled: boolean; readonly content: readonly ExportKind[] },
    now: string,
  ): Promise<void>;

  /**
   * Takes the project that has been due the longest: an enabled one, or one that is deleted and has files. Nobody else gets it
   * before `until`. The day and the number of its next files are kept with it: whoever takes it after a crash gets the same ones.
   */
  claim(now: string, until: string): Promise<ExportClaim | undefined>;
  /** Lets go of a project that is to be looked at again at `due_at`. */
  release(claim: ExportClaim, due_at: string): Promise<boolean>;
  /** The same after a failure. */
  fail(claim: ExportClaim, reason: string, now: string, due_at: string): Promise<boolean>;
  /** Forgets what is exported, so that all of it is exported again, to another target. */
  restart(claim: ExportClaim, target: string, due_at: string): Promise<boolean>;
  /** Puts up to `limit` records and sessions that stood before on the list of changes. The last call ends `is_walking`. */
  walk(claim: ExportClaim, limit: number, due_at: string): Promise<boolean>;
  /** Forgets a project that is deleted. */
  forget(claim: ExportClaim): Promise<boolean>;

  /** Up to `limit` changes of a day, in a fixed order. */
  listChanges(project_id: string, day: string, limit: number): Promise<ExportChange[]>;
  /**
   * Reads the first of the records, up to about `max_bytes` and at least one, and says how many of the keys are settled by that:
   * a settled key without a record among those returned has none.
   */
  readRecords(
    project_id: string,
    keys: readonly ExportKey[],
    max_bytes: number,
  ): Promise<{ readonly records: LogRecord[]; readonly settled: number }>;
  /** Of records and of sessions. */
  listScores(project_id: string, keys: readonly ExportKey[]): Promise<ExportedScore[]>;
  listRatings(project_id: string, keys: readonly ExportKey[]): Promise<ExportedRating[]>;
  /** Those of the keys that are sessions, without traces that are one by themselves. */
  listSessions(project_id: string, keys: readonly ExportKey[]): Promise<ExportedSession[]>;

  /** Keeps what is exported, all of it or nothing. A change that came meanwhile stays on the list. */
  commit(claim: ExportClaim, piece: ExportedPiece): Promise<boolean>;

  /** Lets go of a project of which a day was looked at; undefined: its files are put together. */
  keepDay(claim: ExportClaim, day: string, next: ExportedDay | undefined, due_at: string): Promise<boolean>;

  /** Of all projects together. */
  summary(): Promise<{ readonly num_waiting: number; readonly waiting_since: string | null; readonly num_failing: number }>;
}
