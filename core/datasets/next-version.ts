import type { NewId } from '../kernel/ports.ts';
import { type Block, countBlockRows, type Entry, getBlockIndex } from './block.ts';
import { ColumnSet, countColumns, sameCells, tooLarge } from './cells.ts';
import { countRows } from './changed-rows.ts';
import type { Cells, RowRevision } from './content.ts';
import type { DatasetContentStore } from './dataset-content-store.ts';
import { RevisionWriter } from './revision-writer.ts';
import { MAX_ROWS_OF_VERSION, type RowValues } from './row.ts';
import { FIRST_NUMBERS, type NextNumbers, type StoredVersion, type VersionHead } from './version.ts';

/** Who makes a version, and when. */
export interface Author {
  readonly user_id: string;
  readonly at: string;
  readonly newId: NewId;
  /** Rows of a block, at most. */
  readonly blockSize: number;
}

export interface NewRow {
  readonly row_id: string;
  readonly values: RowValues;
}

interface Open {
  readonly entries: Entry[];
}
type Part = Block | Open;

/**
 * A version in the making. It begins as the one before it, shares what stays as it is, and counts its changes in the
 * end. Changes of rows come first, additions after them. The dataset has to be held all the while.
 */
export class NextVersion {
  readonly #store: DatasetContentStore;
  readonly #dataset_id: string;
  readonly #head: VersionHead | undefined;
  readonly #author: Author;
  readonly #next: { -readonly [Name in keyof NextNumbers]: NextNumbers[Name] };
  readonly columns: ColumnSet;
  #parts: Part[];
  readonly #revisions: RevisionWriter;

  constructor(store: DatasetContentStore, dataset_id: string, head: VersionHead | undefined, author: Author) {
    this.#store = store;
    this.#dataset_id = dataset_id;
    this.#head = head;
    this.#author = author;
    this.#next = { ...(head?.next ?? FIRST_NUMBERS) };
    this.#revisions = new RevisionWriter(store, dataset_id, this.#next.revision);
    this.columns = new ColumnSet(head?.version.columns ?? [], this.#next.column);
    this.#parts = [...(head?.blocks ?? [])];
  }

  get version_index(): number {
    return (this.#head?.version.version_index ?? 0) + 1;
  }

  get blocks(): readonly Block[] {
    return this.#head?.blocks ?? [];
  }

  /** Takes all rows out; nothing was added yet. */
  clear(): void {
    this.#parts = [];
  }

  /** Becomes what an earlier version was. */
  restore(version: StoredVersion, blocks: readonly Block[]): void {
    this.#parts = [...blocks];
    this.columns.replace(version.columns);
  }

  /** Replaces the cells of rows by what `change` makes of them; undefined takes the row out. By position. */
  async change(changes: ReadonlyMap<number, (cells: Cells) => Cells | undefined>): Promise<void> {
    const byPart = Map.groupBy(changes.keys(), (position) => getBlockIndex(this.blocks, position));
    for (const [index, positions] of byPart) {
      const block = this.blocks[index];
      if (!block) continue;
      const wanted = new Set(positions);
      const entries = await this.#read(block);
      const rows = await this.#store.readRows(
        this.#dataset_id,
        entries.filter(({ position }) => wanted.has(position)).map(({ revision }) => revision),
      );
      const changed = new Map<number, Entry | undefined>();
      for (const row of rows) changed.set(row.position, await this.#changed(row, changes.get(row.position)!));
      this.#parts[index] = {
        entries: entries.flatMap((entry) => {
          const after = changed.has(entry.position) ? changed.get(entry.position) : entry;
          return after ? [after] : [];
        }),
      };
    }
  }

  /** Replaces the cells of every row. */
  async changeAll(change: (cells: Cells) => Cells): Promise<void> {
    for (const [index, block] of this.blocks.entries()) {
      const entries = await this.#read(block);
      const rows = await this.#store.readRows(
        this.#dataset_id,
        entries.map(({ revision }) => revision),
      );
      const changed: Entry[] = [];
      for (const row of rows) changed.push((await this.#changed(row, change))!);
      this.#parts[index] = await this.#sealed({ entries: changed });
    }
  }

  /** Takes out every row whose position is not among these. */
  async keep(positions: ReadonlySet<number>): Promise<void> {
    for (const [index, block] of this.blocks.entries()) {
      const entries = await this.#read(block);
      const kept = entries.filter(({ position }) => positions.has(position));
      if (kept.length < entries.length) this.#parts[index] = { entries: kept };
    }
  }

  /** Puts rows before all others, in the order given. */
  async prepend(rows: readonly NewRow[]): Promise<void> {
    this.#next.first_position -= rows.length;
    const first = this.#next.first_position + 1;
    const entries: Entry[] = [];
    for (const [at, row] of rows.entries()) {
      entries.push(this.#add(row, first + at));
      if (this.#revisions.isFull) await this.#revisions.flush();
    }
    this.#dropEmpty();
    const head = this.#parts[0];
    const fits = head !== undefined && entryCount(head) + entries.length <= this.#author.blockSize;
    if (fits) this.#parts[0] = { entries: [...entries, ...(await this.#open(head)).entries] };
    else this.#parts.unshift(...(await this.#cut(entries)));
  }

  /** Puts rows behind all others, in the order given. */
  async append(rows: readonly NewRow[]): Promise<void> {
    let tail: Open | undefined;
    for (const row of rows) {
      if (!tail || tail.entries.length >= this.#author.blockSize) tail = await this.#tail();
      tail.entries.push(this.#add(row, this.#next.last_position));
      this.#next.last_position += 1;
      // Awaiting each row would cost more than the row.
      if (this.#revisions.isFull) await this.#revisions.flush();
    }
  }

  /** Writes what is not written yet, and the version itself. */
  async finish(): Promise<StoredVersion> {
    const blocks: Block[] = [];
    for (const part of this.#parts) if (entryCount(part) > 0) blocks.push(await this.#sealed(part));
    const num_rows = countBlockRows(blocks);
    if (num_rows > MAX_ROWS_OF_VERSION) throw tooManyRows();
    await this.#revisions.flush();
    const { columns, nextKey } = this.columns;
    const version: StoredVersion = {
      dataset_id: this.#dataset_id,
      version_index: this.version_index,
      id: this.#author.newId(),
      name: null,
      created_at: this.#author.at,
      created_by: this.#author.user_id,
      num_rows,
      columns,
      ...(await countRows(this.#store, this.#dataset_id, this.blocks, blocks)),
      ...countColumns(this.#head?.version.columns ?? [], columns),
    };
    await this.#store.insertVersion(version, blocks, { ...this.#next, revision: this.#revisions.next, column: nextKey });
    return version;
  }

  async #changed(row: RowRevision, change: (cells: Cells) => Cells | undefined): Promise<Entry | undefined> {
    const { position, revision } = row;
    const cells = change(row.cells);
    if (!cells) return undefined;
    if (sameCells(cells, row.cells)) return { position, revision };
    const { user_id, at } = this.#author;
    const entry = this.#revisions.add({
      ...row,
      cells,
      updated_in_version: this.version_index,
      updated_at: at,
      updated_by: user_id,
    });
    if (this.#revisions.isFull) await this.#revisions.flush();
    return entry;
  }

  #add({ row_id, values }: NewRow, position: number): Entry {
    const { user_id, at } = this.#author;
    const created = { created_in_version: this.version_index, created_at: at, created_by: user_id };
    const updated = { updated_in_version: this.version_index, updated_at: at, updated_by: user_id };
    return this.#revisions.add({ row_id, position, cells: this.columns.toCells(values), ...created, ...updated });
  }

  /** The open part at the end; the one that was there is sealed once it is full. */
  async #tail(): Promise<Open> {
    this.#dropEmpty();
    const last = this.#parts.at(-1);
    if (last && entryCount(last) < this.#author.blockSize) {
      const open = await this.#open(last);
      this.#parts[this.#parts.length - 1] = open;
      return open;
    }
    if (last) this.#parts[this.#parts.length - 1] = await this.#sealed(last);
    if (this.#rowCount() >= MAX_ROWS_OF_VERSION) throw tooManyRows();
    const open: Open = { entries: [] };
    this.#parts.push(open);
    return open;
  }

  #rowCount(): number {
    return this.#parts.reduce((sum, part) => sum + entryCount(part), 0);
  }

  #dropEmpty(): void {
    if (this.#parts.some((part) => entryCount(part) === 0)) this.#parts = this.#parts.filter((part) => entryCount(part) > 0);
  }

  async #cut(entries: readonly Entry[]): Promise<Block[]> {
    const blocks: Block[] = [];
    for (let at = 0; at < entries.length; at += this.#author.blockSize) {
      blocks.push(await this.#sealed({ entries: entries.slice(at, at + this.#author.blockSize) }));
    }
    return blocks;
  }

  async #read({ id }: Block): Promise<Entry[]> {
    const [entries] = await this.#store.readBlocks(this.#dataset_id, [id]);
    return entries!;
  }

  async #open(part: Part): Promise<Open> {
    return 'entries' in part ? part : { entries: await this.#read(part) };
  }

  async #sealed(part: Part): Promise<Block> {
    if (!('entries' in part)) return part;
    const id = this.#next.block;
    this.#next.block += 1;
    await this.#store.insertBlock(this.#dataset_id, id, part.entries);
    return { id, size: part.entries.length, first: part.entries[0]!.position };
  }
}

const entryCount = (part: Part): number => ('entries' in part ? part.entries.length : part.size);

const tooManyRows = () => tooLarge(`a dataset has at most ${MAX_ROWS_OF_VERSION} rows`);
