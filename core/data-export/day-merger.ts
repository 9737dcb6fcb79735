import type { ObjectStore } from '../object-storage/object-store.ts';
import { EXPORT_KINDS } from './data-export.ts';
import type { ExportClaim, ExportedDay } from './data-export-store.ts';
import { FILE_COLUMNS } from './day-files.ts';
import { type DayFile, parseFileKey, toDayPrefix, toMergedKey } from './file-keys.ts';
import { planMerge } from './merge-plan.ts';
import type { OpenParquetFile, ParquetRow, ReadParquetFile } from './parquet-file.ts';
import { RowGroups } from './row-groups.ts';

export interface DayMergerDeps {
  readonly openParquetFile: OpenParquetFile;
  readonly readParquetFile: ReadParquetFile;
  /** How long a day has to be over before its files are put together, and how long they stay afterwards. */
  readonly exportMergeSeconds: number;
}

/** Bounds of one file that others are put together in. */
const BOUNDS = { max_files: 300, max_bytes: 32 * 1024 * 1024 } as const;
/** Bounds of its row groups. */
const GROUP_BOUNDS = { max_rows: 5_000, max_weight: 4 * 1024 * 1024 } as const;
const REMOVED_AT_ONCE = 500;

/**
 * Puts the small files of a day together once it is over. The whole file is there first, and the small ones stay for a while, so who has listed them
 * can read them: readers find each row once or, for that while, twice with the same `version`, and never none.
 */
export class DayMerger {
  readonly #deps: DayMergerDeps;

  constructor(deps: DayMergerDeps) {
    this.#deps = deps;
  }

  /** One piece of work: puts one file in its place, or removes what is covered. Returns when the day is looked at again; undefined: never. */
  async advance(
    claim: ExportClaim,
    { day, remove_at }: ExportedDay,
    target: ObjectStore,
    { now, until }: { readonly now: () => Date; readonly until: string },
  ): Promise<ExportedDay | undefined> {
    const place = { project_id: claim.project_id, day };
    const files = await listFiles(target, claim, day);
    const plans = EXPORT_KINDS.map((kind) =>
      planMerge(
        files.filter((file) => file.kind === kind),
        BOUNDS,
      ),
    );
    const covered = plans.flatMap((plan) => plan.covered);
    const [group] = plans.flatMap((plan) => plan.groups);
    const at = (seconds: number): string => new Date(now().getTime() + seconds * 1_000).toISOString();
    const again = { day, due_at: at(0), remove_at: null };
    if (remove_at !== null) {
      for (const { key } of covered.slice(0, REMOVED_AT_ONCE)) await target.remove(key);
      if (covered.length > REMOVED_AT_ONCE) return { ...again, remove_at };
      return group && { ...again, due_at: at(this.#deps.exportMergeSeconds) };
    }
    if (group) {
      const content = await this.#merge(group, target);
      // Columns of a later version of the service: it will put them together.
      if (!content) return undefined;
      if (now().toISOString() > until) throw new Error('the files of a day were not put together in time');
      const [first, last] = [group[0]!.first, group.at(-1)!.last];
      await target.put(toMergedKey(place, { kind: group[0]!.kind, first, last }), content, { if_absent: true });
      return again;
    }
    const removedAt = at(this.#deps.exportMergeSeconds);
    return covered.length > 0 ? { day, due_at: removedAt, remove_at: removedAt } : undefined;
  }

  async #merge(group: readonly DayFile[], target: ObjectStore): Promise<Uint8Array | undefined> {
    const columns = FILE_COLUMNS[group[0]!.kind];
    const merged = new RowGroups(this.#deps.openParquetFile(columns), GROUP_BOUNDS);
    for (const { key } of group) {
      const content = await target.get(key);
      if (!content) throw new Error(`${target.location} has no ${key} any more`);
      const rows = await this.#deps.readParquetFile(content, columns);
      if (!rows) return undefined;
      for await (const some of rows) for (const row of some) merged.add([row], weigh(row));
    }
    return merged.finish();
  }
}

/** Files of a day, of which none may be newer than what this installation has written. */
export async function listFiles(
  target: ObjectStore,
  claim: Pick<ExportClaim, 'project_id' | 'sequence'>,
  day: string,
): Promise<DayFile[]> {
  const files: DayFile[] = [];
  for await (const entry of target.list(toDayPrefix({ project_id: claim.project_id, day }))) {
    const file = parseFileKey(entry);
    if (file && file.last >= claim.sequence)
      throw new Error(`${target.location} holds ${file.key}, which this installation has not written: export to another place`);
    if (file) files.push(file);
  }
  return files;
}

/** Characters of its texts, and about as many of its other values. */
const weigh = (row: ParquetRow): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
