import { type Block, countBlockRows, type Entry, type PlacedBlock, unshared } from './block.ts';
import { sameCells } from './cells.ts';
import type { RowRevision } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { VersionCounters } from './version.ts';

export interface PlacedEntry extends Entry {
  readonly index: number;
}

/** A row that two versions do not have in common as it is. */
export interface ChangedRow {
  readonly position: number;
  readonly before: PlacedEntry | undefined;
  readonly after: PlacedEntry | undefined;
}

type Reader = Pick<DatasetContentStore, 'readBlocks' | 'readRows' | 'readRowsWithin' | 'countDiffering'>;

const BLOCKS_AT_ONCE = 16;
const ROWS_AT_ONCE = 500;
/** Of long rows that are in memory at once. */
const BYTES_AT_ONCE = 2 * 1024 * 1024;
const PAIRS_AT_ONCE = 10_000;

/**
 * Rows whose revisions differ, in the order of their positions, from a position on. Both versions are read block by
 * block, and only where they do not share blocks. A row may have been changed and changed back: its revisions differ,
 * its values do not.
 */
export async function* changedRows(
  reader: Reader,
  dataset_id: string,
  before: readonly Block[],
  after: readonly Block[],
  from = Number.NEGATIVE_INFINITY,
): AsyncGenerator<ChangedRow> {
  const blocks = unshared(before, after);
  const left = toEntries(reader, dataset_id, blocks.left, from);
  const right = toEntries(reader, dataset_id, blocks.right, from);
  let [old, now] = [await left.next(), await right.next()];
  while (!old.done || !now.done) {
    const was = old.done ? undefined : old.value;
    const is = now.done ? undefined : now.value;
    const position = Math.min(was?.position ?? Number.POSITIVE_INFINITY, is?.position ?? Number.POSITIVE_INFINITY);
    const pair = {
      position,
      before: was?.position === position ? was : undefined,
      after: is?.position === position ? is : undefined,
    };
    if (pair.before?.revision !== pair.after?.revision) yield pair;
    if (pair.before) old = await left.next();
    if (pair.after) now = await right.next();
  }
}

async function* toEntries(
  reader: Reader,
  dataset_id: string,
  blocks: readonly PlacedBlock[],
  from: number,
): AsyncGenerator<PlacedEntry> {
  const wanted = blocks.filter((_, at) => (blocks[at + 1]?.first ?? Number.POSITIVE_INFINITY) > from);
  for (let at = 0; at < wanted.length; at += BLOCKS_AT_ONCE) {
    const some = wanted.slice(at, at + BLOCKS_AT_ONCE);
    const read = await reader.readBlocks(
      dataset_id,
      some.map(({ id }) => id),
    );
    for (const [order, entries] of read.entries()) {
      const { start } = some[order]!;
      for (const [place, entry] of entries.entries()) if (entry.position >= from) yield { ...entry, index: start + place };
    }
  }
}

/** A change with the rows that it is about. */
export interface ChangeWithRows extends ChangedRow {
  readonly row_before: RowRevision | undefined;
  readonly row_after: RowRevision | undefined;
}

/** Changes with their rows, in the same order, without those that changed no value. */
export async function* withRows(
  reader: Reader,
  dataset_id: string,
  changes: AsyncIterable<ChangedRow>,
  batch = ROWS_AT_ONCE,
): AsyncGenerator<ChangeWithRows> {
  for await (const some of inBatches(changes, batch)) {
    for (let rest: readonly ChangedRow[] = some; rest.length > 0; ) {
      const read = await readFirst(reader, dataset_id, rest);
      for (const change of read)
        if (!change.row_before || !change.row_after || !sameCells(change.row_before.cells, change.row_after.cells)) yield change;
      rest = rest.slice(read.length);
    }
  }
}

/** The first of the changes with their rows, one at least, and no more than some bytes of them. */
async function readFirst(reader: Reader, dataset_id: string, changes: readonly ChangedRow[]): Promise<ChangeWithRows[]> {
  const rows = new Map<number, RowRevision>();
  const keep = (read: readonly RowRevision[]): void => {
    for (const row of read) rows.set(row.revision, row);
  };
  keep(await reader.readRowsWithin(dataset_id, changes.flatMap(getRevisions), BYTES_AT_ONCE));
  const isRead = (change: ChangedRow): boolean => getRevisions(change).every((revision) => rows.has(revision));
  const [first] = changes;
  if (first && !isRead(first)) keep(await reader.readRows(dataset_id, getRevisions(first)));
  const end = changes.findIndex((change) => !isRead(change));
  return changes.slice(0, end < 0 ? changes.length : end).map((change) => ({
    ...change,
    row_before: change.before && rows.get(change.before.revision),
    row_after: change.after && rows.get(change.after.revision),
  }));
}

const getRevisions = ({ before, after }: ChangedRow): number[] =>
  [before, after].flatMap((entry) => (entry ? [entry.revision] : []));

async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type RowCounters = Pick<VersionCounters, 'rows_added' | 'rows_removed' | 'rows_edited'>;

export async function countRows(
  reader: Reader,
  dataset_id: string,
  before: readonly Block[],
  after: readonly Block[],
): Promise<RowCounters> {
  const blocks = unshared(before, after);
  if (blocks.left.length === 0) return { rows_added: countBlockRows(blocks.right), rows_removed: 0, rows_edited: 0 };
  if (blocks.right.length === 0) return { rows_added: 0, rows_removed: countBlockRows(blocks.left), rows_edited: 0 };
  const left = await apart(reader, dataset_id, blocks.left, blocks.right);
  const right = await apart(reader, dataset_id, blocks.right, blocks.left);
  const counters = { rows_added: countBlockRows(right.outside), rows_removed: countBlockRows(left.outside), rows_edited: 0 };
  let pairs: [number, number][] = [];
  const count = async (): Promise<void> => {
    counters.rows_edited += await reader.countDiffering(dataset_id, pairs);
    pairs = [];
  };
  for await (const change of changedRows(reader, dataset_id, left.within, right.within)) {
    if (!change.before) counters.rows_added += 1;
    else if (!change.after) counters.rows_removed += 1;
    else pairs.push([change.before.revision, change.after.revision]);
    if (pairs.length >= PAIRS_AT_ONCE) await count();
  }
  if (pairs.length > 0) await count();
  return counters;
}

/**
 * Blocks whose positions lie within those of other blocks at least in part, and those that lie outside whole: none of
 * their rows is there too, and they are counted unread. A version that only grew has nearly all of its new rows there.
 */
async function apart(reader: Reader, dataset_id: string, blocks: readonly Block[], others: readonly Block[]) {
  const [tail] = await reader.readBlocks(dataset_id, [others.at(-1)!.id]);
  const first = others[0]!.first;
  const last = tail!.at(-1)!.position;
  const isWithin = (block: Block, at: number): boolean =>
    block.first <= last && (blocks[at + 1]?.first ?? Number.POSITIVE_INFINITY) > first;
  return { within: blocks.filter(isWithin), outside: blocks.filter((block, at) => !isWithin(block, at)) };
}
