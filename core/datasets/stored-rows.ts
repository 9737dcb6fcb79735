import type { Slice } from '../kernel/query/page.ts';
import { BLOCK_SIZE, type Block, blocksAt, countBlockRows } from './block.ts';
import { namedValues } from './cells.ts';
import type { IndexedRow } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { RowSource, RowValues } from './row.ts';
import type { StoredVersion } from './version.ts';

type Reader = Pick<DatasetContentStore, 'readBlocks' | 'readRows'>;

/** Rows of a version from an index on: only the blocks that hold them are looked at. */
export async function readSlice(
  reader: Reader,
  dataset_id: string,
  blocks: readonly Block[],
  { offset, limit }: Slice,
): Promise<IndexedRow[]> {
  const wanted = blocksAt(blocks, offset, limit);
  const first = wanted[0]?.start ?? 0;
  const entries = await reader.readBlocks(
    dataset_id,
    wanted.map(({ id }) => id),
  );
  const revisions = entries
    .flat()
    .slice(offset - first, offset - first + limit)
    .map(({ revision }) => revision);
  const rows = await reader.readRows(dataset_id, revisions);
  return rows.map((row, at) => ({ index: offset + at, row }));
}

/** Cells of wide rows that are worked on without a turn for others: some 30 ms. */
const CELLS_AT_ONCE = 50_000;

/** Rows of a version from an index on, block by block or in smaller parts: no more than one is in memory. */
export async function* sliceInBlocks(
  reader: Reader,
  dataset_id: string,
  blocks: readonly Block[],
  { offset, limit }: Slice,
  rowsAtOnce = BLOCK_SIZE,
): AsyncGenerator<IndexedRow[]> {
  for (const { start, size, ...block } of blocksAt(blocks, offset, limit)) {
    const until = Math.min(offset + limit - start, size);
    for (let from = Math.max(offset - start, 0); from < until; from += rowsAtOnce) {
      const part = { offset: from, limit: Math.min(rowsAtOnce, until - from) };
      const rows = await readSlice(reader, dataset_id, [{ ...block, size }], part);
      yield rows.map(({ index, row }) => ({ index: start + index, row }));
    }
  }
}

/** A whole version as rows on their way somewhere else. */
export const toRowSource = (reader: Reader, version: StoredVersion, blocks: readonly Block[]): RowSource => ({
  columns: version.columns.map(({ name }) => name),
  batches: toBatches(reader, version, blocks),
});

async function* toBatches(
  reader: Reader,
  { dataset_id, columns }: StoredVersion,
  blocks: readonly Block[],
): AsyncGenerator<RowValues[]> {
  const all = { offset: 0, limit: countBlockRows(blocks) };
  const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / Math.max(1, columns.length));
  for await (const rows of sliceInBlocks(reader, dataset_id, blocks, all, rowsAtOnce)) {
    yield rows.map(({ row }) => namedValues(row.cells, columns));
  }
}
