import { AppError, type Issue } from '../../kernel/errors.ts';
import { type Block, getBlockIndex } from '../block.ts';
import { namedValues } from '../cells.ts';
import { cellText, type RowRevision } from '../content.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetContentStore } from '../dataset-content-store.ts';
import { readSliceWithin } from '../stored-rows.ts';
import { type Column, type StoredVersion, versionNotFound } from '../version.ts';
import type { ExtensionRequest } from './extension.ts';

/** Rows that are shown where none are named. */
const MAX_ROWS = 20;
/** Of the first rows; the rest of these are not shown to the model. */
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_CELL_CHARS = 2_000;

export interface SourceRows {
  readonly columns: readonly string[];
  /** As JSON texts, long cells shortened; of a single column its texts. */
  readonly examples: readonly string[];
  /** Their texts in the first column. */
  readonly known: readonly string[];
}

/** The pattern that a dataset gives. Rejects with AppError `invalid` when a row that is named is not there. */
export async function toSourceRows(
  store: DatasetContentStore,
  { dataset_id, dataset_version_index, row_ids }: NonNullable<ExtensionRequest['source_dataset']>,
): Promise<SourceRows> {
  const version = await store.findVersion(dataset_id, dataset_version_index ?? undefined);
  if (!version) throw dataset_version_index ? versionNotFound(dataset_version_index) : datasetNotFound(dataset_id);
  const blocks = await store.listBlocks(dataset_id, version.version_index);
  const rows = row_ids ? await namedRows(store, version, blocks, row_ids) : await firstRows(store, dataset_id, blocks);
  const columns = version.columns.length > 0 ? version.columns.map(({ name }) => name) : ['input'];
  const [first] = version.columns;
  const known = first ? rows.flatMap(({ cells }) => cellText(cells[first.key]) ?? []) : [];
  return { columns, examples: rows.map((row) => getExample(row, version.columns)), known };
}

async function firstRows(store: DatasetContentStore, dataset_id: string, blocks: readonly Block[]): Promise<RowRevision[]> {
  const rows = await readSliceWithin(store, dataset_id, blocks, { offset: 0, limit: MAX_ROWS }, MAX_BYTES);
  return rows.map(({ row }) => row);
}

async function namedRows(
  store: DatasetContentStore,
  { dataset_id }: StoredVersion,
  blocks: readonly Block[],
  row_ids: readonly string[],
): Promise<RowRevision[]> {
  const positions = await store.computePositions(dataset_id, row_ids);
  const indexes = [...new Set([...positions.values()].map((position) => getBlockIndex(blocks, position)))];
  const ids = indexes.flatMap((index) => blocks[index]?.id ?? []);
  const entries = (await store.readBlocks(dataset_id, ids)).flat();
  const revisionAt = new Map(entries.map(({ position, revision }) => [position, revision]));
  const revisions = row_ids.map((id) => revisionAt.get(positions.get(id) ?? Number.NaN));
  const issues = revisions.flatMap((revision, at) => (revision === undefined ? [missing(row_ids[at]!, at)] : []));
  if (issues.length > 0) throw new AppError('invalid', 'row_unknown', 'rows that are named are not there', { issues });
  return store.readRows(dataset_id, revisions as number[]);
}

function getExample({ cells }: RowRevision, columns: readonly Column[]): string {
  const texts = Object.entries(namedValues(cells, columns)).map(([name, value]) => {
    const text = cellText(value) ?? '';
    return [name, text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text] as const;
  });
  return texts.length === 1 ? texts[0]![1] : JSON.stringify(Object.fromEntries(texts));
}

const missing = (input: string, at: number): Issue => ({
  loc: ['body', 'source_dataset', 'row_ids', at],
  msg: 'there is no such row in this version',
  type: 'row_unknown',
  input,
});
