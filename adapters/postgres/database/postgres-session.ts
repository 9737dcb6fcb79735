import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely, type Transaction as KyselyTransaction } from 'kysely';
import type { Transactions } from '../../../core/kernel/ports.ts';
import type { Tables } from './orm.ts';
import type { Fragment } from './sql.ts';

/** One door to the database for all stores of this adapter, inside a transaction or not. */
export class PostgresSession implements Transactions {
  readonly #orm: MikroORM;
  readonly #reads: Kysely<Tables> | undefined;
  readonly #current = new AsyncLocalStorage<EntityManager>();

  /** `reads`: executes the statements of stores that only read, and may read a moment late; see `ReadReplica`. */
  constructor({ orm, reads }: { orm: MikroORM; reads?: Kysely<Tables> | undefined }) {
    this.#orm = orm;
    this.#reads = reads;
  }

  /** The transaction's entity manager, or a fresh one for a single statement. */
  get em(): EntityManager {
    return this.#current.getStore() ?? this.#orm.em.fork();
  }

  get isInTransaction(): boolean {
    return this.#current.getStore() !== undefined;
  }

  /**
   * By the query builder's transaction, not by the entity manager's: that one keeps a connection for good whose `begin`
   * or `rollback` fails, and a pool that lost each of its connections once would have none left.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current.getStore()) return work();
    const failures: unknown[] = [];
    const keep = (error: unknown): never => {
      failures.push(error);
      throw failures[0];
    };
    // The first failure tells why: on a connection that has ended the rollback after it fails too.
    return this.#pooled
      .transaction()
      .execute((open) => this.#current.run(this.#within(open), work).catch(keep))
      .catch(keep);
  }

  /** The query builder; what it builds joins the transaction under way. */
  get db(): Kysely<Tables> {
    const open = this.#current.getStore()?.getTransactionContext<KyselyTransaction<Tables>>();
    return open ?? this.#reads ?? this.#pooled;
  }

  /** Runs one statement with numbered parameters; joins the transaction under way. */
  async sql<Row = Record<string, unknown>>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.db.executeQuery<Row>(CompiledQuery.raw(statement, [...parameters]));
    return rows;
  }

  /** Runs one statement that was put together; joins the transaction under way. */
  async rows<Row>(statement: Fragment<Row>): Promise<Row[]> {
    const { rows } = await statement.execute(this.db);
    return rows;
  }

  get #pooled(): Kysely<Tables> {
    return this.#orm.em.getConnection().getClient<Tables>();
  }

  #within(open: KyselyTransaction<Tables>): EntityManager {
    const em = this.#orm.em.fork();
    em.setTransactionContext(open);
    return em;
  }
}
