import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Block } from './block.ts';
import { type ChangeWithRows, changedRows, countRows, withRows } from './changed-rows.ts';
import type { RowRevision } from './content.ts';
import { MAX_BYTES_OF_PAGE } from './content-json.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import { columnDiff, type DatasetDiff, type DiffQuery, getPosition, getToken, rowDiff } from './diff.ts';
import { getLength } from './files/cell.ts';
import { type StoredVersion, versionNotFound } from './version.ts';

interface Side {
  readonly version: StoredVersion;
  readonly blocks: readonly Block[];
}

interface DiffPage {
  readonly shown: readonly ChangeWithRows[];
  /** The first change behind them. */
  readonly more: ChangeWithRows | undefined;
}

/** Says what differs between two versions of a dataset. */
export class DatasetDiffService {
  readonly #authorizer: Authorizer;
  readonly #store: DatasetContentStore;

  constructor({ authorizer, datasetContentStore }: { authorizer: Authorizer; datasetContentStore: DatasetContentStore }) {
    this.#authorizer = authorizer;
    this.#store = datasetContentStore;
  }

  /** In the order of the rows. A page costs what it shows, not what the versions hold or what lies before it. */
  async compare(caller: Caller, id: string, from_version: number, to_version: number, wanted: DiffQuery): Promise<DatasetDiff> {
    await this.#authorizer.authorize(caller, 'dataset', id, 'read');
    const before = await this.#side(id, from_version);
    const after = await this.#side(id, to_version);
    const { starting_token, limit } = wanted;
    const { shown, more } = await this.#page(id, before, after, wanted);
    return {
      starting_token,
      limit,
      paginated: more !== undefined,
      next_starting_token: more ? getToken(more.position) : null,
      from_version,
      to_version,
      ...columnDiff(before.version.columns, after.version.columns),
      summary: starting_token === 0 ? await countRows(this.#store, id, before.blocks, after.blocks) : null,
      rows: shown.map((change) => rowDiff(change, before.version.columns, after.version.columns)),
    };
  }

  /** Up to the bytes of a page. */
  async #page(id: string, before: Side, after: Side, { starting_token, limit }: DiffQuery): Promise<DiffPage> {
    const from = getPosition(starting_token);
    const shown: ChangeWithRows[] = [];
    let room = MAX_BYTES_OF_PAGE;
    const all = changedRows(this.#store, id, before.blocks, after.blocks, from);
    for await (const change of withRows(this.#store, id, all, limit + 1)) {
      if (shown.length >= limit || room <= 0) return { shown, more: change };
      shown.push(change);
      room -= getSize(change.row_before) + getSize(change.row_after);
    }
    return { shown, more: undefined };
  }

  async #side(id: string, version_index: number): Promise<Side> {
    const version = await this.#store.findVersion(id, version_index);
    if (!version) throw versionNotFound(version_index);
    return { version, blocks: await this.#store.listBlocks(id, version_index) };
  }
}

/** Characters of a row's cells. */
const getSize = (row: RowRevision | undefined): number =>
  Object.values(row?.cells ?? {}).reduce<number>((sum, value) => sum + getLength(value ?? null), 0);
