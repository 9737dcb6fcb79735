const GONE = Symbol('gone');

interface Change<V> {
  readonly value: V | typeof GONE;
  /** Whether the row comes after all that were there before the transaction. */
  readonly isNew: boolean;
}

type Draft = Map<unknown, Change<unknown>>;

/** Uncommitted writes of a transaction, by table. */
export type Drafts = Map<Table<unknown, unknown>, Draft>;

export interface TableAccess {
  /** Returns the writes of the transaction under way; undefined without one. */
  read(): Drafts | undefined;
  /** The same, for one who is about to write. */
  write(): Drafts | undefined;
}

/** A `Map` whose changes belong to the transaction under way. Rows MUST NOT be changed in place: they could not be rolled back. */
export class Table<K, V> {
  readonly #access: TableAccess;
  readonly #rows = new Map<K, V>();

  constructor(access: TableAccess) {
    this.#access = access;
  }

  get(key: K): V | undefined {
    const change = this.#draft?.get(key);
    if (change === undefined) return this.#rows.get(key);
    return change.value === GONE ? undefined : change.value;
  }

  has(key: K): boolean {
    const change = this.#draft?.get(key);
    return change === undefined ? this.#rows.has(key) : change.value !== GONE;
  }

  set(key: K, value: V): this {
    const draft = this.#toDraft();
    if (draft === undefined) this.#rows.set(key, value);
    else {
      const before = draft.get(key);
      const isNew = before ? before.isNew || before.value === GONE : !this.#rows.has(key);
      if (before?.value === GONE) draft.delete(key);
      draft.set(key, { value, isNew });
    }
    return this;
  }

  delete(key: K): boolean {
    const draft = this.#toDraft();
    if (draft === undefined) return this.#rows.delete(key);
    const isThere = this.has(key);
    if (isThere) draft.set(key, { value: GONE, isNew: false });
    return isThere;
  }

  get size(): number {
    let size = this.#rows.size;
    for (const [key, { value }] of this.#draft ?? []) size += Number(value !== GONE) - Number(this.#rows.has(key));
    return size;
  }

  *entries(): Generator<[K, V], void> {
    const draft = this.#draft;
    for (const row of this.#rows) {
      const change = draft?.get(row[0]);
      if (change === undefined) yield row;
      else if (change.value !== GONE && !change.isNew) yield [row[0], change.value];
    }
    for (const [key, { value, isNew }] of draft ?? []) if (isNew && value !== GONE) yield [key, value];
  }

  *keys(): Generator<K, void> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): Generator<V, void> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[K, V], void> {
    return this.entries();
  }

  commit(draft: Draft): void {
    for (const [key, { value, isNew }] of draft as Map<K, Change<V>>) {
      if (value === GONE || isNew) this.#rows.delete(key);
      if (value !== GONE) this.#rows.set(key, value);
    }
  }

  get #draft(): Map<K, Change<V>> | undefined {
    return this.#access.read()?.get(this as never) as Map<K, Change<V>> | undefined;
  }

  #toDraft(): Map<K, Change<V>> | undefined {
    const drafts = this.#access.write();
    if (drafts === undefined) return undefined;
    const draft = drafts.get(this as never) ?? new Map();
    drafts.set(this as never, draft);
    return draft as Map<K, Change<V>>;
  }
}

/** A single value that is replaced as a whole, never changed in place. */
export class Cell<V> {
  readonly #table: Table<'value', V>;
  readonly #first: V;

  constructor(table: Table<'value', V>, first: V) {
    this.#table = table;
    this.#first = first;
  }

  get value(): V {
    return this.#table.has('value') ? (this.#table.get('value') as V) : this.#first;
  }

  set value(value: V) {
    this.#table.set('value', value);
  }
}
