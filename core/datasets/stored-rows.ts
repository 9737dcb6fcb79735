import type { Slice } from '../kernel/query/page.ts';
import { type Block, blocksAt, countBlockRows } from './block.ts';
import { namedValues } from './cells.ts';
import type { IndexedRow, RowPlace } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import type { RowSource, RowValues } from './row.ts';
import type { StoredVersion } from './version.ts';

type PlaceReader = Pick<DatasetContentStore, 'readBlocks'>;
type BoundedReader = Pick<DatasetContentStore, 'readBlocks' | 'readRowsWithin'>;

/** Rows of a version from an index on, as many as there is room for: only the blocks that hold them are looked at. */
export async function readSliceWithin(
  reader: BoundedReader,
  dataset_id: string,
  blocks: readonly Block[],
  slice: Slice,
  maxBytes: number,
): Promise<IndexedRow[]> {
  return readWithin(reader, dataset_id, await readPlaces(reader, dataset_id, blocks, slice), maxBytes);
}

/** Where the rows of a version stand from an index on, whatever is in them. */
export async function readPlaces(
  reader: PlaceReader,
  dataset_id: string,
  blocks: readonly Block[],
  { offset, limit }: Slice,
): Promise<RowPlace[]> {
  const wanted = blocksAt(blocks, offset, limit);
  const first = wanted[0]?.start ?? 0;
  const entries = await reader.readBlocks(
    dataset_id,
    wanted.map(({ id }) => id),
  );
  const wantedEntries = entries.flat().slice(offset - first, offset - first + limit);
  return wantedEntries.map(({ revision }, at) => ({ index: offset + at, revision }));
}

/** The first rows of these places, as many as there is room for: see `readRowsWithin`. */
export async function readWithin(
  reader: Pick<DatasetContentStore, 'readRowsWithin'>,
  dataset_id: string,
  places: readonly RowPlace[],
  maxBytes: number,
): Promise<IndexedRow[]> {
  const rows = await reader.readRowsWithin(dataset_id, places.map(getRevision), maxBytes);
  return rows.map((row, at) => ({ index: places[at]!.index, row }));
}

const getRevision = ({ revision }: RowPlace): number => revision;

/** Cells of wide rows that are worked on without a turn for others: some 30 ms. */
const CELLS_AT_ONCE = 50_000;
/** Bytes of long rows that are in memory at once on their way out. */
const BYTES_AT_ONCE = 1024 * 1024;

/** Rows of a version from an index on, in parts that are small however large rows are: no more than one is in memory. */
export async function* sliceInBlocks(
  reader: BoundedReader,
  { dataset_id, columns }: Pick<StoredVersion, 'dataset_id' | 'columns'>,
  blocks: readonly Block[],
  { offset, limit }: Slice,
): AsyncGenerator<IndexedRow[]> {
  const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / Math.max(1, columns.length));
  for (const { start, size, ...block } of blocksAt(blocks, offset, limit)) {
    const from = Math.max(offset - start, 0);
    const part = { offset: from, limit: Math.min(offset + limit - start, size) - from };
    const places = await readPlaces(reader, dataset_id, [{ ...block, size }], part);
    for (let at = 0; at < places.length; ) {
      const rows = await readWithin(reader, dataset_id, places.slice(at, at + rowsAtOnce), BYTES_AT_ONCE);
      yield rows.map(({ index, row }) => ({ index: start + index, row }));
      at += rows.length;
    }
  }
}

/** A whole version as rows on their way somewhere else. */
export const toRowSource = (reader: BoundedReader, version: StoredVersion, blocks: readonly Block[]): RowSource => ({
  columns: version.columns.map(({ name }) => name),
  batches: toBatches(reader, version, blocks),
});

async function* toBatches(reader: BoundedReader, version: StoredVersion, blocks: readonly Block[]): AsyncGenerator<RowValues[]> {
  const all = { offset: 0, limit: countBlockRows(blocks) };
  for await (const rows of sliceInBlocks(reader, version, blocks, all)) {
    yield rows.map(({ row }) => namedValues(row.cells, version.columns));
  }
}
