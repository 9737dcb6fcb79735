import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Log } from '../../../../core/kernel/ports.ts';
import { isSerializationConflict, isUnavailable } from '../database-failure.ts';
import type { Tables } from '../orm.ts';

export interface ReplicaDialectDeps {
  readonly primary: () => Kysely<Tables>;
  /** Opened when it is first read. */
  readonly replica: () => Promise<Kysely<Tables>>;
  /** Whether the replica may be read now. */
  readonly isFresh: () => boolean;
  readonly log: Log;
}

/** Reading statements go to a replica while it is fresh, and to the primary when it is not or fails at them. */
export const replicaDialect = (deps: ReplicaDialectDeps): Dialect => ({
  createDriver: () => new ReplicaDriver(deps),
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
});

class ReplicaDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(deps: ReplicaDialectDeps) {
    this.#connection = new ReplicaConnection(deps);
  }

  async init(): Promise<void> {}

  /** The pools of the two servers are the ones to wait for; this one only decides between them. */
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('a replica is for single statements that read');
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {}
}

class ReplicaConnection implements DatabaseConnection {
  readonly #deps: ReplicaDialectDeps;

  constructor(deps: ReplicaDialectDeps) {
    this.#deps = deps;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { primary, replica, isFresh, log } = this.#deps;
    if (isFresh()) {
      try {
        return await (await replica()).executeQuery<R>(query as CompiledQuery<R>);
      } catch (error) {
        if (!isOfReplica(error)) throw error;
        log.warn('the replica failed at a statement: the primary is asked', { error });
      }
    }
    return primary().executeQuery<R>(query as CompiledQuery<R>);
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }
}

/** A statement that met its time limit: the primary would need as long. */
const TIMED_OUT = '57014';
/** Names of a migration that the replica has not replayed yet. */
const NOT_THERE_YET = new Set(['42P01', '42703', '42883']);

/** Whether the primary may well succeed: the replica is away, or ended the statement in favour of what it replays (recovery conflict, 40001). */
function isOfReplica(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  if (code === TIMED_OUT) return false;
  return isUnavailable(error) || isSerializationConflict(error) || (typeof code === 'string' && NOT_THERE_YET.has(code));
}
