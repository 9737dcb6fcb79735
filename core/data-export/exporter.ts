import type { Clock, Log } from '../kernel/ports.ts';
import type { ObjectStore } from '../object-storage/object-store.ts';
import type { ExportedFile } from './data-export.ts';
import { EXPORT_KINDS } from './data-export.ts';
import type { DataExportStore, ExportChange, ExportClaim, ExportedDay, ExportedPiece } from './data-export-store.ts';
import { DayFiles, type DayFilesDeps } from './day-files.ts';
import { DayMerger, type DayMergerDeps, listFiles } from './day-merger.ts';
import type { ExportKey } from './export-key.ts';
import { toFileKey, toProjectPrefix } from './file-keys.ts';

export interface ExporterDeps extends DayFilesDeps, DayMergerDeps {
  readonly dataExportStore: DataExportStore;
  /** Undefined: the installation exports nothing. */
  readonly exportTarget: ObjectStore | undefined;
  /** Time between two looks at a project whose changes are all exported. */
  readonly exportIntervalSeconds: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long nobody else takes a project that a worker has taken. */
const CLAIM_MS = 300_000;
/** Of that, how long files may be written: a slow upload ends before somebody else begins with the same file. */
const WRITE_MS = 120_000;
/** Records that stood before, put on the list at once. */
const WALKED_AT_ONCE = 5_000;
/** Bounds of a file: records looked at, and encoded bytes. */
const MAX_CHANGES = 20_000;
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** Records of a row group, and about as many bytes of them: they are in memory as they are, and encoded without a turn for others. */
const ROW_GROUP_RECORDS = 500;
const ROW_GROUP_BYTES = 2 * 1024 * 1024;
const REMOVED_AT_ONCE = 500;
const REMOVED_SIDE_BY_SIDE = 8;
const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 900_000;
const MAX_REASON = 500;
const DAY_MS = 86_400_000;

/** Writes what has changed as Parquet files. Any number of them work side by side, each on a project of its own. */
export class Exporter {
  readonly #deps: ExporterDeps;
  readonly #merger: DayMerger;

  constructor(deps: ExporterDeps) {
    this.#deps = deps;
    this.#merger = new DayMerger(deps);
  }

  /** One piece of work of the project that has been due the longest; returns whether there was one. */
  async advance(): Promise<boolean> {
    const { dataExportStore, exportTarget, log } = this.#deps;
    if (!exportTarget) return false;
    const claim = await dataExportStore.claim(this.#at(0), this.#at(CLAIM_MS));
    if (!claim) return false;
    try {
      await this.#work(claim, exportTarget);
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
      log.warn('a data export failed and will be repeated', { project_id: claim.project_id, reason });
      const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** claim.failures);
      await dataExportStore.fail(claim, reason, this.#at(0), this.#at(delayMs));
    }
    return true;
  }

  async #work(claim: ExportClaim, target: ObjectStore): Promise<void> {
    const { dataExportStore, exportIntervalSeconds } = this.#deps;
    const { day, merge } = claim;
    if (claim.is_removed) return this.#removeFiles(claim, target);
    if (claim.target !== target.location) return void (await dataExportStore.restart(claim, target.location, this.#at(0)));
    if (claim.is_walking) return void (await dataExportStore.walk(claim, WALKED_AT_ONCE, this.#at(0)));
    if (merge) return this.#mergeDay(claim, merge, target);
    if (day === undefined) return void (await dataExportStore.release(claim, this.#at(exportIntervalSeconds * 1_000)));
    await this.#exportDay({ ...claim, day }, target);
  }

  async #exportDay(claim: ExportClaim & { readonly day: string }, target: ObjectStore): Promise<void> {
    const writtenUntil = this.#at(WRITE_MS);
    const { dataExportStore } = this.#deps;
    const changes = await dataExportStore.listChanges(claim.project_id, claim.day, MAX_CHANGES);
    const made = new DayFiles(this.#deps, claim);
    const done = await this.#fill(made, claim, changes);
    const files: ExportedFile[] = [];
    if (!claim.is_repeated) await listFiles(target, claim, claim.day);
    for (const { kind, num_rows, content } of made.finish()) {
      if (this.#at(0) > writtenUntil) throw new Error('the files of a day were not written in time');
      const key = toFileKey(claim, kind, claim.sequence);
      // A file that nobody can have begun with was written by another installation, or before a backup was restored.
      if (!(await target.put(key, content, { if_absent: !claim.is_repeated })))
        throw new Error(`${target.location} holds ${key}, which this installation has not written: export to another place`);
      files.push({ key, num_rows, num_bytes: content.byteLength, written_at: this.#at(0) });
    }
    if (claim.is_repeated) await this.#removeLeft(claim, target, files);
    await dataExportStore.commit(claim, { changes: done, files, due_at: this.#at(0), merge_at: this.#toMergeTime(claim.day) });
  }

  async #mergeDay(claim: ExportClaim, merge: ExportedDay, target: ObjectStore): Promise<void> {
    const times = { now: this.#deps.clock, until: this.#at(WRITE_MS) };
    const next = await this.#merger.advance(claim, merge, target, times);
    await this.#deps.dataExportStore.keepDay(claim, merge.day, next, this.#at(0));
  }

  /** Once the day is over in UTC, and some time after the file that is being written. */
  #toMergeTime(day: string): string | null {
    const { exportMergeSeconds, clock } = this.#deps;
    if (exportMergeSeconds === 0) return null;
    const over = Math.max(clock().getTime(), Date.parse(`${day}T00:00:00Z`) + DAY_MS);
    return new Date(over + exportMergeSeconds * 1_000).toISOString();
  }

  /** Reads the records in their order until the files are full, and returns those that are in. */
  async #fill(
    made: DayFiles,
    { project_id }: ExportClaim,
    changes: readonly ExportChange[],
  ): Promise<ExportedPiece['changes'][number][]> {
    const { dataExportStore } = this.#deps;
    const done: ExportedPiece['changes'][number][] = [];
    while (done.length < changes.length && made.num_bytes < MAX_FILE_BYTES) {
      const next = changes.slice(done.length, done.length + ROW_GROUP_RECORDS);
      const { records, settled } = await dataExportStore.readRecords(project_id, next, ROW_GROUP_BYTES);
      const looked = next.slice(0, settled);
      const byKey = new Map(records.map((record) => [`${record.run_id} ${record.id}`, record]));
      const scores = Map.groupBy(await dataExportStore.listScores(project_id, looked), toKey);
      const ratings = Map.groupBy(await dataExportStore.listRatings(project_id, looked), toKey);
      const sessions = new Map((await dataExportStore.listSessions(project_id, looked)).map((one) => [toKey(one), one]));
      for (const change of looked) {
        const key = toKey(change);
        const own = { scores: scores.get(key) ?? [], ratings: ratings.get(key) ?? [] };
        done.push({ ...change, state: made.add(change, { record: byKey.get(key), session: sessions.get(key), ...own }) });
      }
      made.flush();
    }
    return done;
  }

  /** Removes files that somebody wrote who began with this piece and never came to its end. */
  async #removeLeft(claim: ExportClaim & { readonly day: string }, target: ObjectStore, files: readonly ExportedFile[]) {
    const kept = new Set(files.map(({ key }) => key));
    const keys = EXPORT_KINDS.map((kind) => toFileKey(claim, kind, claim.sequence));
    for (const key of keys) if (!kept.has(key)) await target.remove(key);
  }

  async #removeFiles(claim: ExportClaim, target: ObjectStore): Promise<void> {
    const { dataExportStore } = this.#deps;
    const keys: string[] = [];
    for await (const { key } of target.list(toProjectPrefix(claim.project_id))) {
      keys.push(key);
      if (keys.length === REMOVED_AT_ONCE) break;
    }
    for (let at = 0; at < keys.length; at += REMOVED_SIDE_BY_SIDE)
      await Promise.all(keys.slice(at, at + REMOVED_SIDE_BY_SIDE).map((key) => target.remove(key)));
    if (keys.length < REMOVED_AT_ONCE) await dataExportStore.forget(claim);
    else await dataExportStore.release(claim, this.#at(0));
  }

  #at(ms: number): string {
    return new Date(this.#deps.clock().getTime() + ms).toISOString();
  }
}

const toKey = ({ run_id, record_id }: ExportKey): string => `${run_id} ${record_id}`;
