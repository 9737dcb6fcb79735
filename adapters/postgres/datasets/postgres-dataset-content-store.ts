import { type Block, type Entry, placed } from '../../../core/datasets/block.ts';
import type { RowPlace, RowRevision } from '../../../core/datasets/content.ts';
import { datasetNotFound } from '../../../core/datasets/dataset.ts';
import type { CellFilter, CellSort, DatasetContentStore } from '../../../core/datasets/dataset-content-store.ts';
import type { NextNumbers, StoredVersion, VersionHead } from '../../../core/datasets/version.ts';
import { AppError } from '../../../core/kernel/errors.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { isLockTimeout } from '../database/database-failure.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import {
  BLOCKS,
  COUNT_DIFFERING,
  HEAD,
  INSERT_ROWS,
  INSERT_VERSION,
  type ManifestRow,
  ROW_COLUMNS,
  ROWS_WITHIN,
  type SizedRow,
  type StoredRow,
  toManifestBlocks,
  toRowRevision,
  toRowValues,
  toVersionRow,
  VERSION_COLUMNS,
} from './dataset-content-statements.ts';
import { searchSql } from './dataset-search-sql.ts';

const PATIENCE_MS = 5_000;
/** JSON text of cells that is read by one statement: to decode it takes some 30 ms. */
const BYTES_AT_ONCE = 2 * 1024 * 1024;
/** The same as it is stored, compressed: up to a hundred times as much has to be unpacked to know how much it is. */
const STORED_BYTES_AT_ONCE = 1024 * 1024;

export class PostgresDatasetContentStore implements DatasetContentStore {
  readonly #session: PostgresSession;
  readonly #patienceMs: number;

  constructor({ session, patienceMs = PATIENCE_MS }: { session: PostgresSession; patienceMs?: number }) {
    this.#session = session;
    this.#patienceMs = patienceMs;
  }

  exclusively<T>(dataset_id: string, work: () => Promise<T>): Promise<T> {
    return this.#session.run(async () => {
      await this.#hold(dataset_id);
      return work();
    });
  }

  async findHead(dataset_id: string): Promise<VersionHead | undefined> {
    const [row] = await this.#session.sql<StoredVersion & ManifestRow & { next: NextNumbers }>(HEAD, [dataset_id]);
    if (!row) return undefined;
    return { version: toVersionRow(row), blocks: toManifestBlocks(row), next: row.next };
  }

  async findVersion(dataset_id: string, version_index?: number): Promise<StoredVersion | undefined> {
    const [row] = await this.#session.sql<StoredVersion>(
      `select ${VERSION_COLUMNS} from dataset_versions where dataset_id = $1 and ($2::int is null or version_index = $2)
       order by version_index desc limit 1`,
      [dataset_id, version_index ?? null],
    );
    return row && toVersionRow(row);
  }

  async listBlocks(dataset_id: string, version_index: number): Promise<Block[]> {
    const [row] = await this.#session.sql<ManifestRow>(BLOCKS, [dataset_id, version_index]);
    return row ? toManifestBlocks(row) : [];
  }

  async listVersions(dataset_id: string, ascending: boolean, { offset, limit }: Slice): Promise<StoredVersion[]> {
    const rows = await this.#session.sql<StoredVersion>(
      `select ${VERSION_COLUMNS} from dataset_versions where dataset_id = $1
       order by version_index ${ascending ? 'asc' : 'desc'} limit $2 offset $3`,
      [dataset_id, limit, offset],
    );
    return rows.map(toVersionRow);
  }

  async nameVersion(dataset_id: string, version_index: number, name: string | null): Promise<StoredVersion | undefined> {
    const [row] = await this.#session.sql<StoredVersion>(
      `update dataset_versions set name = $3 where dataset_id = $1 and version_index = $2 returning ${VERSION_COLUMNS}`,
      [dataset_id, version_index, name],
    );
    return row && toVersionRow(row);
  }

  async insertVersion(version: StoredVersion, blocks: readonly Block[], next: NextNumbers): Promise<void> {
    await this.#session.sql(INSERT_VERSION, [
      JSON.stringify(version),
      version.dataset_id,
      version.version_index,
      blocks.map(({ id }) => id),
      blocks.map(({ size }) => size),
      blocks.map(({ first }) => first),
      next.revision,
      next.block,
      next.column,
      next.last_position,
      next.first_position,
    ]);
  }

  async insertBlock(dataset_id: string, id: number, entries: readonly Entry[]): Promise<void> {
    await this.#session.sql('insert into dataset_blocks (dataset_id, block_id, revisions, positions) values ($1, $2, $3, $4)', [
      dataset_id,
      id,
      entries.map(({ revision }) => revision),
      entries.map(({ position }) => position),
    ]);
  }

  async insertRows(dataset_id: string, rows: readonly RowRevision[]): Promise<void> {
    await this.#session.sql(INSERT_ROWS, [dataset_id, JSON.stringify(rows.map(toRowValues))]);
  }

  async readBlocks(dataset_id: string, ids: readonly number[]): Promise<Entry[][]> {
    if (ids.length === 0) return [];
    const rows = await this.#session.sql<{ block_id: number; revisions: number[]; positions: number[] }>(
      'select block_id, revisions, positions from dataset_blocks where dataset_id = $1 and block_id = any($2::int[])',
      [dataset_id, ids],
    );
    const entries = new Map(
      rows.map(({ block_id, revisions, positions }) => [
        block_id,
        revisions.map((revision, at): Entry => ({ position: positions[at]!, revision })),
      ]),
    );
    return ids.map((id) => entries.get(id) ?? missing(dataset_id));
  }

  async readRows(dataset_id: string, revisions: readonly number[]): Promise<RowRevision[]> {
    if (revisions.length === 0) return [];
    const rows = await this.#session.sql<StoredRow>(
      `select ${ROW_COLUMNS} from dataset_rows where dataset_id = $1 and revision = any($2::int[])`,
      [dataset_id, revisions],
    );
    const byRevision = new Map(rows.map((row) => [row.revision, toRowRevision(row)]));
    return revisions.map((revision) => byRevision.get(revision) ?? missing(dataset_id));
  }

  async readRowsWithin(dataset_id: string, revisions: readonly number[], maxBytes: number): Promise<RowRevision[]> {
    const rows: RowRevision[] = [];
    let room = maxBytes;
    while (rows.length < revisions.length && room > 0) {
      const wanted = revisions.slice(rows.length);
      const bytes = Math.min(room, BYTES_AT_ONCE);
      const part = await this.#session.sql<SizedRow>(ROWS_WITHIN, [dataset_id, wanted, bytes, STORED_BYTES_AT_ONCE]);
      if (part.length === 0 || part.some(({ revision }, at) => revision !== wanted[at])) missing(dataset_id);
      for (const { size, ...row } of part) {
        room -= size;
        rows.push(toRowRevision(row));
      }
    }
    return rows;
  }

  async countDiffering(dataset_id: string, pairs: readonly (readonly [number, number])[]): Promise<number> {
    const [row] = await this.#session.sql<{ differing: number }>(COUNT_DIFFERING, [
      dataset_id,
      pairs.map(([before]) => before),
      pairs.map(([, after]) => after),
    ]);
    return row!.differing;
  }

  async computePositions(dataset_id: string, row_ids: readonly string[]): Promise<Map<string, number>> {
    if (row_ids.length === 0) return new Map();
    const rows = await this.#session.sql<{ row_id: string; position: number }>(
      `select wanted.row_id, r.position from unnest($2::uuid[]) as wanted(row_id)
       cross join lateral (select position from dataset_rows where dataset_id = $1 and row_id = wanted.row_id limit 1) r`,
      [dataset_id, row_ids],
    );
    return new Map(rows.map(({ row_id, position }) => [row_id, position]));
  }

  async search(
    dataset_id: string,
    blocks: readonly Block[],
    filters: readonly CellFilter[],
    sort: CellSort | undefined,
    slice: Slice,
  ): Promise<RowPlace[]> {
    return this.#session.rows(searchSql(dataset_id, placed(blocks), filters, sort, slice));
  }

  /** Waits for the dataset only so long; what the transaction does later has its own limits. */
  async #hold(dataset_id: string): Promise<void> {
    try {
      await this.#session.sql(`select set_config('lock_timeout', $1, true)`, [String(this.#patienceMs)]);
      await this.#session.sql('select from datasets where id = $1 for update', [dataset_id]);
      await this.#session.sql(`select set_config('lock_timeout', '0', true)`);
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause;
      throw new AppError('locked', 'dataset_locked', `dataset ${dataset_id} is being changed`, { cause });
    }
  }
}

function missing(dataset_id: string): never {
  throw datasetNotFound(dataset_id);
}
