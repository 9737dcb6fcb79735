import { countBlockRows } from '../datasets/block.ts';
import { cellText } from '../datasets/content.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import type { DatasetValue } from '../datasets/row.ts';
import { sliceInBlocks } from '../datasets/stored-rows.ts';
import type { StoredVersion } from '../datasets/version.ts';
import type { TruthRow } from './join-rows.ts';

/** A row with what may tell which traces were made from it. */
export interface TruthRowWithTexts extends TruthRow {
  readonly input: string | null;
  readonly output: string | null;
}

/**
 * The rows of a version with the ground truth of one column. `isNamed` says of an input whether some trace names it: for others,
 * the texts are not kept.
 */
export async function toTruthRows(
  store: Pick<DatasetContentStore, 'listBlocks' | 'readBlocks' | 'readRowsWithin'>,
  { dataset_id, version_index, columns }: StoredVersion,
  truth_key: number | undefined,
  isNamed: (input: string) => boolean,
): Promise<TruthRowWithTexts[]> {
  const getKey = (name: string) => columns.find((column) => column.name === name)?.key;
  const [input_key, output_key] = [getKey('input'), getKey('output')];
  const rows: TruthRowWithTexts[] = [];
  const blocks = await store.listBlocks(dataset_id, version_index);
  const all = { offset: 0, limit: countBlockRows(blocks) };
  for await (const part of sliceInBlocks(store, { dataset_id, columns }, blocks, all)) {
    for (const { row } of part) {
      const cell = (key: number | undefined): DatasetValue => (key === undefined ? null : (row.cells[key] ?? null));
      const input = cellText(cell(input_key));
      const texts = input !== null && isNamed(input) ? { input, output: cellText(cell(output_key)) } : NO_TEXTS;
      rows.push({ row_id: row.row_id, truth: cell(truth_key), ...texts });
    }
  }
  return rows;
}

const NO_TEXTS = { input: null, output: null };
