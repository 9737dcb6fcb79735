import type { AccessStore } from '../access/access-store.ts';
import type { AuditTrail } from '../access/audit/audit-trail.ts';
import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { toUserSummary, type UserSummary } from '../access/users/user.ts';
import { AppError, type Issue } from '../kernel/errors.ts';
import type { Transactions } from '../kernel/ports.ts';
import { type PageFields, type PageRequest, sliceFor, toPage, toPageFields } from '../kernel/query/page.ts';
import { mapInSlices } from '../kernel/slices.ts';
import type { ColumnMapping } from './column-mapping.ts';
import {
  type Cells,
  type ContentSearch,
  type DatasetContent,
  type DatasetRow,
  type IndexedRow,
  type RowPlace,
  toWarning,
} from './content.ts';
import { contentJson, MAX_BYTES_OF_PAGE } from './content-json.ts';
import { rowView, type Users, usersIn, versionView } from './content-view.ts';
import { datasetNotFound } from './dataset.ts';
import type { CellFilter, DatasetContentStore } from './dataset-content-store.ts';
import { mapColumns } from './mapped-columns.ts';
import type { RowSource } from './row.ts';
import { readPlaces, readWithin, sliceInBlocks, toRowSource } from './stored-rows.ts';
import {
  type Column,
  type DatasetVersion,
  type StoredVersion,
  type VersionSearch,
  type VersionUpdate,
  versionNotFound,
} from './version.ts';

export interface ContentDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly accessStore: AccessStore;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
}

/** Cells that are shown without a turn for others: some 30 ms. */
const CELLS_AT_ONCE = 50_000;

/** Columns, and how cells become theirs. */
interface Shape {
  readonly columns: readonly Column[];
  readonly change?: ((cells: Cells) => Cells) | undefined;
}

/** Content together with the id of the version it is of. */
export interface TaggedContent {
  readonly version_id: string;
  readonly content: DatasetContent;
}

/** Reads datasets, in any of their versions. */
export class DatasetContentService {
  readonly #deps: ContentDeps;

  constructor(deps: ContentDeps) {
    this.#deps = deps;
  }

  /** Of the current version unless another is named, as JSON text that is made while it is read: see `contentJson`. */
  async read(
    caller: Caller,
    id: string,
    wanted: PageRequest,
    version_index?: number,
  ): Promise<{ readonly version_id: string; readonly chunks: AsyncIterable<string> }> {
    const version = await this.#version(caller, id, version_index);
    const { datasetContentStore } = this.#deps;
    const blocks = await datasetContentStore.listBlocks(id, version.version_index);
    const slice = { offset: wanted.starting_token, limit: wanted.limit };
    const rows = this.#inBatches(version, sliceInBlocks(datasetContentStore, version, blocks, slice));
    return { version_id: version.id, chunks: contentJson(version, wanted, rows) };
  }

  async search(caller: Caller, id: string, { filters, sort }: ContentSearch, wanted: PageRequest): Promise<TaggedContent> {
    const { datasetContentStore } = this.#deps;
    const version = await this.#version(caller, id);
    const keyed = filters.map(({ column_name, ...filter }, at): CellFilter => {
      return { ...filter, key: getKey(version, column_name, ['body', 'filters', at, 'column_name']) };
    });
    const order = sort
      ? { key: getKey(version, sort.column_name, ['body', 'sort', 'column_name']), ascending: sort.ascending }
      : undefined;
    const blocks = await datasetContentStore.listBlocks(id, version.version_index);
    const places = await datasetContentStore.search(id, blocks, keyed, order, sliceFor(wanted));
    return { version_id: version.id, content: await this.#page(version, places, wanted) };
  }

  /** Returns the current version as it would be under the mapping. Nothing is changed. */
  async preview(caller: Caller, id: string, mapping: ColumnMapping, wanted: PageRequest): Promise<DatasetContent> {
    const version = await this.#version(caller, id);
    let nextKey = Math.max(0, ...version.columns.map(({ key }) => key));
    const mapped = mapColumns(version.columns, mapping, () => {
      nextKey += 1;
      return nextKey;
    });
    const blocks = await this.#deps.datasetContentStore.listBlocks(id, version.version_index);
    const places = await readPlaces(this.#deps.datasetContentStore, id, blocks, sliceFor(wanted));
    return this.#page(version, places, wanted, mapped);
  }

  /** A whole version on its way out of the service. */
  async export(
    caller: Caller,
    id: string,
    version_index?: number,
  ): Promise<{ readonly version: StoredVersion; readonly rows: RowSource }> {
    await this.#deps.authorizer.authorize(caller, 'dataset', id, 'export');
    const version = await this.#version(caller, id, version_index);
    const blocks = await this.#deps.datasetContentStore.listBlocks(id, version.version_index);
    return { version, rows: toRowSource(this.#deps.datasetContentStore, version, blocks) };
  }

  async listVersions(
    caller: Caller,
    id: string,
    { sort }: VersionSearch,
    wanted: PageRequest,
  ): Promise<PageFields & { versions: DatasetVersion[] }> {
    await this.#deps.authorizer.authorize(caller, 'dataset', id, 'read');
    const versions = await this.#deps.datasetContentStore.listVersions(id, sort.ascending, sliceFor(wanted));
    const { items, page } = toPage(versions, wanted);
    const users = await this.#users(items.map(({ created_by }) => created_by));
    return { ...page, versions: items.map((version) => versionView(version, users)) };
  }

  async updateVersion(caller: Caller, id: string, version_index: number, update: VersionUpdate): Promise<DatasetVersion> {
    const { authorizer, datasetContentStore, transactions, auditTrail } = this.#deps;
    await authorizer.authorize(caller, 'dataset', id, 'update');
    const version = await transactions.run(async () => {
      if (update.name === undefined) return this.#found(id, version_index);
      const named = await datasetContentStore.nameVersion(id, version_index, update.name);
      if (!named) throw versionNotFound(version_index);
      const details = { version_index, name: update.name };
      await auditTrail.note(caller, { action: 'dataset.name_version', object_kind: 'dataset', object_id: id, details });
      return named;
    });
    return versionView(version, await this.#users([version.created_by]));
  }

  async #version(caller: Caller, id: string, version_index?: number): Promise<StoredVersion> {
    await this.#deps.authorizer.authorize(caller, 'dataset', id, 'read');
    return this.#found(id, version_index);
  }

  async #found(id: string, version_index: number | undefined): Promise<StoredVersion> {
    const version = await this.#deps.datasetContentStore.findVersion(id, version_index);
    if (version) return version;
    throw version_index === undefined ? datasetNotFound(id) : versionNotFound(version_index);
  }

  /** The rows of these places, of which one may be too many, up to the bytes of a page. */
  async #page(
    version: StoredVersion,
    places: readonly RowPlace[],
    wanted: PageRequest,
    { columns, change = (cells) => cells }: Shape = version,
  ): Promise<DatasetContent> {
    const asked = places.slice(0, wanted.limit);
    const rows = await readWithin(this.#deps.datasetContentStore, version.dataset_id, asked, MAX_BYTES_OF_PAGE);
    const users = await this.#users(usersIn(rows));
    const column_names = columns.map(({ name }) => name);
    const rowsAtOnce = Math.ceil(CELLS_AT_ONCE / Math.max(1, columns.length));
    return {
      ...toPageFields(rows.length, places.length > rows.length, wanted),
      column_names,
      warning_message: toWarning(column_names),
      rows: await mapInSlices(rows, rowsAtOnce, ({ index, row }) =>
        rowView({ index, row: { ...row, cells: change(row.cells) } }, columns, users),
      ),
    };
  }

  async *#inBatches({ columns }: StoredVersion, batches: AsyncIterable<readonly IndexedRow[]>): AsyncGenerator<DatasetRow[]> {
    const users = new Map<string, UserSummary>();
    for await (const batch of batches) {
      const unknown = usersIn(batch).filter((id) => !users.has(id));
      if (unknown.length > 0) for (const [id, user] of await this.#users(unknown)) users.set(id, user);
      yield batch.map((row) => rowView(row, columns, users));
    }
  }

  async #users(ids: readonly string[]): Promise<Users> {
    const users = await this.#deps.accessStore.listUsers([...new Set(ids)]);
    return new Map(users.map((user) => [user.id, toUserSummary(user)]));
  }
}

function getKey({ columns }: StoredVersion, column_name: string, loc: Issue['loc']): number {
  const column = columns.find(({ name }) => name === column_name);
  if (column) return column.key;
  throw new AppError('invalid', 'column_unknown', `there is no column ${column_name}`, {
    issues: [{ loc, msg: 'there is no such column', type: 'column_unknown', input: column_name }],
  });
}
