import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transactions } from '../../core/kernel/ports.ts';
import { Cell, type Drafts, Table } from './table.ts';

/**
 * State that the memory stores of one service share, as stores on PostgreSQL share a session: their tables and the
 * transaction under way. Transactions behave as at READ COMMITTED: nobody else sees what one has written before it is
 * committed, and one that fails leaves nothing behind. One transaction writes at a time, from its first write to its
 * end; the writes of others wait for it, and nobody who only reads waits.
 */
export class MemoryDatabase implements Transactions {
  readonly #current = new AsyncLocalStorage<MemoryTransaction>();
  #writer: MemoryTransaction | undefined;
  /** Statements that wait for the writer, first come first served. One is woken at a time: the others would wait again. */
  readonly #waiting: (() => void)[] = [];

  table<K, V>(): Table<K, V> {
    return new Table({ read: () => this.#open?.drafts, write: () => this.hold()?.drafts });
  }

  /** A single value that is replaced as a whole. */
  cell<V>(value: V): Cell<V> {
    return new Cell(this.table(), value);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#open) return work();
    const transaction = new MemoryTransaction();
    try {
      const result = await this.#current.run(transaction, work);
      for (const [table, draft] of transaction.drafts) table.commit(draft);
      this.#end(transaction);
      for (const step of transaction.afterwards) step();
      return result;
    } catch (error) {
      this.#end(transaction);
      throw error;
    }
  }

  /**
   * Makes this the transaction that writes, as though it had locked rows, so that what it reads now stays as it is until its
   * end. Throws `WRITER_BUSY` while another one writes.
   */
  hold(): MemoryTransaction | undefined {
    const open = this.#open;
    if (this.#writer !== undefined && this.#writer !== open) throw WRITER_BUSY;
    this.#writer = open;
    return open;
  }

  /** Takes the step once the transaction under way is committed, at once when there is none, and never when it fails. */
  afterCommit(step: () => void): void {
    const open = this.hold();
    if (open) open.afterwards.push(step);
    else step();
  }

  /** Takes the step at the end of the transaction under way, however it ends; at once when there is none. */
  atEnd(step: () => void): void {
    const open = this.#open;
    if (open) open.over.promise.then(step);
    else step();
  }

  /** The store, each of whose methods is one statement: done as a whole, and begun again when it has to wait for a writer. */
  inStatements<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (!isAsync(member)) return member.bind(target);
        return (...args: unknown[]) => this.#statement(() => Reflect.apply(member, target, args) as Promise<unknown>);
      },
    });
  }

  #statement<T>(work: () => Promise<T>): Promise<T> {
    return this.run(async () => {
      for (let isAgain = false; ; isAgain = true) {
        try {
          return await work();
        } catch (error) {
          if (error !== WRITER_BUSY) throw error;
        } finally {
          // Woken, it may have written nothing: then no end of a writer wakes the next one.
          if (isAgain && this.#writer === undefined) this.#wakeNext();
        }
        // Nothing has been written yet: it was the first write that would have had to wait.
        // The writer may have ended while the error was on its way here: nobody would wake who begins to wait now.
        if (this.#writer === undefined || this.#writer === this.#open) continue;
        await new Promise<void>((wake) => this.#waiting.push(wake));
      }
    });
  }

  #end(transaction: MemoryTransaction): void {
    transaction.isOver = true;
    transaction.over.resolve();
    if (this.#writer !== transaction) return;
    this.#writer = undefined;
    this.#wakeNext();
  }

  #wakeNext(): void {
    this.#waiting.shift()?.();
  }

  /** The open transaction. Work that goes on in the name of a transaction after its end belongs to none. */
  get #open(): MemoryTransaction | undefined {
    const transaction = this.#current.getStore();
    return transaction?.isOver ? undefined : transaction;
  }
}

class MemoryTransaction {
  readonly drafts: Drafts = new Map();
  readonly afterwards: (() => void)[] = [];
  readonly over = Promise.withResolvers<void>();
  isOver = false;
}

/** Thrown while another transaction writes. One for all: the trace of a stack costs more than the statement. */
const WRITER_BUSY = new Error('another transaction writes');

const AsyncFunction = (async () => {}).constructor;
const isAsync = (member: unknown): boolean => member instanceof AsyncFunction;
