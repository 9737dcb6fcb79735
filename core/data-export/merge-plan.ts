import type { DayFile } from './file-keys.ts';

/** Work that is to be done on the files of one kind and day. */
export interface MergePlan {
  /** Files whose rows are in another one, too. */
  readonly covered: readonly DayFile[];
  /** Files that are put together, each group in one: neighbours by their numbers, two or more. */
  readonly groups: readonly (readonly DayFile[])[];
}

export interface MergeBounds {
  readonly max_files: number;
  /** Of the files of a group together. */
  readonly max_bytes: number;
}

/**
 * Plans by what is there alone, so that whoever comes after a crash goes on where it happened. A file that has the numbers of others in its name was put
 * in its place whole, so these are covered. Files of more than half of the bound stay as they are, so no row is written again and again.
 */
export function planMerge(files: readonly DayFile[], { max_files, max_bytes }: MergeBounds): MergePlan {
  const covered: DayFile[] = [];
  const groups: DayFile[][] = [];
  let group: DayFile[] = [];
  let reached = 0;
  let bytes = 0;
  const end = (): void => {
    if (group.length > 1) groups.push(group);
    group = [];
    bytes = 0;
  };
  for (const file of [...files].sort((a, b) => a.first - b.first || b.last - a.last)) {
    if (file.last <= reached) {
      covered.push(file);
      continue;
    }
    const isApart = file.first <= reached || file.bytes > max_bytes / 2;
    if (isApart || group.length === max_files || bytes + file.bytes > max_bytes) end();
    reached = file.last;
    if (isApart) continue;
    group.push(file);
    bytes += file.bytes;
  }
  end();
  return { covered, groups };
}
