import type { Block, Entry } from '../../../core/datasets/block.ts';
import { placed } from '../../../core/datasets/block.ts';
import { sameCells } from '../../../core/datasets/cells.ts';
import { cellText, type IndexedRow, type RowPlace, type RowRevision } from '../../../core/datasets/content.ts';
import { datasetNotFound } from '../../../core/datasets/dataset.ts';
import type { CellFilter, CellSort, DatasetContentStore } from '../../../core/datasets/dataset-content-store.ts';
import type { DatasetValue } from '../../../core/datasets/row.ts';
import type { NextNumbers, StoredVersion, VersionHead } from '../../../core/datasets/version.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { compareText } from '../../../core/kernel/query/sort.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';
import { sliced } from '../traces/sliced.ts';
import type { KeptContent } from './memory-dataset-store.ts';

const PATIENCE_MS = 5_000;

export class MemoryDatasetContentStore implements DatasetContentStore {
  readonly #database: MemoryDatabase;
  readonly #contents: Table<string, KeptContent>;
  readonly #patienceMs: number;
  /** The end of the last work that was let at a dataset. */
  readonly #held = new Map<string, Promise<void>>();

  constructor({
    database,
    contents,
    patienceMs = PATIENCE_MS,
  }: { database: MemoryDatabase; contents: Table<string, KeptContent>; patienceMs?: number }) {
    this.#database = database;
    this.#contents = contents;
    this.#patienceMs = patienceMs;
  }

  async exclusively<T>(dataset_id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#held.get(dataset_id) ?? Promise.resolve();
    const own = Promise.withResolvers<void>();
    const last = before.then(() => own.promise);
    this.#held.set(dataset_id, last);
    try {
      await inTime(before, this.#patienceMs, dataset_id);
      return await work();
    } finally {
      // Like a lock on a row: until others see what the transaction around it wrote.
      this.#database.atEnd(() => {
        own.resolve();
        if (this.#held.get(dataset_id) === last) this.#held.delete(dataset_id);
      });
    }
  }

  async findHead(dataset_id: string): Promise<VersionHead | undefined> {
    const content = this.#contents.get(dataset_id);
    const version = content?.versions.value.at(-1);
    return version && structuredClone({ version, ...content!.manifests.get(version.version_index)! });
  }

  async findVersion(dataset_id: string, version_index?: number): Promise<StoredVersion | undefined> {
    const versions = this.#contents.get(dataset_id)?.versions.value ?? [];
    return structuredClone(version_index === undefined ? versions.at(-1) : versions[version_index - 1]);
  }

  async listBlocks(dataset_id: string, version_index: number): Promise<Block[]> {
    return structuredClone([...(this.#contents.get(dataset_id)?.manifests.get(version_index)?.blocks ?? [])]);
  }

  async listVersions(dataset_id: string, ascending: boolean, slice: Slice): Promise<StoredVersion[]> {
    const versions = this.#contents.get(dataset_id)?.versions.value ?? [];
    return structuredClone(sliced(ascending ? versions : versions.toReversed(), slice));
  }

  async nameVersion(dataset_id: string, version_index: number, name: string | null): Promise<StoredVersion | undefined> {
    const versions = this.#contents.get(dataset_id)?.versions;
    if (versions) versions.value = versions.value.map((one) => (one.version_index === version_index ? { ...one, name } : one));
    return this.findVersion(dataset_id, version_index);
  }

  async insertVersion(version: StoredVersion, blocks: readonly Block[], next: NextNumbers): Promise<void> {
    const content = this.#toContent(version.dataset_id);
    content.versions.value = [...content.versions.value, structuredClone(version)];
    content.manifests.set(version.version_index, structuredClone({ blocks, next }));
  }

  async insertBlock(dataset_id: string, id: number, entries: readonly Entry[]): Promise<void> {
    this.#toContent(dataset_id).blocks.set(id, structuredClone(entries));
  }

  async insertRows(dataset_id: string, rows: readonly RowRevision[]): Promise<void> {
    const content = this.#toContent(dataset_id);
    for (const row of rows) content.rows.set(row.revision, structuredClone(row));
  }

  async readBlocks(dataset_id: string, ids: readonly number[]): Promise<Entry[][]> {
    return ids.map((id) => structuredClone([...(this.#contents.get(dataset_id)?.blocks.get(id) ?? missing(dataset_id))]));
  }

  async readRows(dataset_id: string, revisions: readonly number[]): Promise<RowRevision[]> {
    return revisions.map((id) => structuredClone(this.#contents.get(dataset_id)?.rows.get(id) ?? missing(dataset_id)));
  }

  async readRowsWithin(dataset_id: string, revisions: readonly number[], maxBytes: number): Promise<RowRevision[]> {
    const rows: RowRevision[] = [];
    let room = maxBytes;
    for (const revision of revisions) {
      if (room <= 0) break;
      const [row] = await this.readRows(dataset_id, [revision]);
      rows.push(row!);
      room -= Buffer.byteLength(JSON.stringify(row!.cells));
    }
    return rows;
  }

  async countDiffering(dataset_id: string, pairs: readonly (readonly [number, number])[]): Promise<number> {
    const rows = this.#contents.get(dataset_id)?.rows;
    const toCells = (revision: number) => (rows?.get(revision) ?? missing(dataset_id)).cells;
    return pairs.filter(([before, after]) => !sameCells(toCells(before), toCells(after))).length;
  }

  async computePositions(dataset_id: string, row_ids: readonly string[]): Promise<Map<string, number>> {
    const wanted = new Set(row_ids);
    const rows = [...(this.#contents.get(dataset_id)?.rows.values() ?? [])];
    return new Map(rows.filter(({ row_id }) => wanted.has(row_id)).map(({ row_id, position }) => [row_id, position]));
  }

  async search(
    dataset_id: string,
    blocks: readonly Block[],
    filters: readonly CellFilter[],
    sort: CellSort | undefined,
    slice: Slice,
  ): Promise<RowPlace[]> {
    const rows = this.#indexed(dataset_id, blocks).filter(({ row }) => filters.every((filter) => passes(filter, row)));
    if (sort) rows.sort((a, b) => compareRows(sort, a, b));
    return sliced(rows, slice).map(({ index, row }) => ({ index, revision: row.revision }));
  }

  #indexed(dataset_id: string, blocks: readonly Block[]): IndexedRow[] {
    const content = this.#contents.get(dataset_id);
    return placed(blocks).flatMap(({ id, start }) =>
      (content?.blocks.get(id) ?? missing(dataset_id)).map(({ revision }, at) => {
        return { index: start + at, row: content?.rows.get(revision) ?? missing(dataset_id) };
      }),
    );
  }

  #toContent(dataset_id: string): KeptContent {
    const content = this.#contents.get(dataset_id) ?? this.#newContent();
    this.#contents.set(dataset_id, content);
    return content;
  }

  #newContent(): KeptContent {
    const database = this.#database;
    return { versions: database.cell([]), manifests: database.table(), blocks: database.table(), rows: database.table() };
  }
}

function missing(dataset_id: string): never {
  throw datasetNotFound(dataset_id);
}

async function inTime(before: Promise<void>, patienceMs: number, dataset_id: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(datasetLocked(dataset_id)), patienceMs);
  });
  await Promise.race([before, late]).finally(() => clearTimeout(timer));
}

const datasetLocked = (id: string): AppError => new AppError('locked', 'dataset_locked', `dataset ${id} is being changed`);

function passes({ key, operator, value }: CellFilter, { cells }: RowRevision): boolean {
  const text = cellText(cells[key]);
  if (text === null) return operator === 'ne';
  if (operator === 'contains') return text.includes(value);
  return (text === value) === (operator === 'eq');
}

function compareRows({ key, ascending }: CellSort, a: IndexedRow, b: IndexedRow): number {
  const order = compareCells(a.row.cells[key], b.row.cells[key]);
  return (ascending ? order : -order) || a.index - b.index;
}

function compareCells(a: DatasetValue | undefined, b: DatasetValue | undefined): number {
  const ranks = computeRank(a) - computeRank(b);
  if (ranks !== 0) return ranks;
  if (typeof a === 'number') return a - Number(b);
  return compareText(cellText(a) ?? '', cellText(b) ?? '');
}

const computeRank = (value: DatasetValue | undefined): number =>
  typeof value === 'number' ? 0 : value === null || value === undefined ? 2 : 1;
