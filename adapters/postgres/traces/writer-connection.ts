import type { Socket } from 'node:net';
import { Client } from 'pg';
import type { Log } from '../../../core/kernel/ports.ts';
import { sessionOptions } from '../database/orm.ts';

/** Runs statements inside the transaction of a lane. */
export interface WriterSql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Groups probe by key only; a plan made while the table was empty must not turn into a scan when it is full. */
const PLANS = '-c jit=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off';
const QUERY_MS = 15_000;
const CONNECT_MS = 2_000;

/** One connection of the writer's own. Opened when first needed and again after it broke. */
export class WriterConnection implements WriterSql {
  readonly #url: string;
  readonly #log: Log;
  readonly #stream: (() => Socket) | undefined;
  #client: Client | undefined;
  #oids = new Map<string, number>();

  constructor(url: string, log: Log, stream?: () => Socket) {
    this.#url = url;
    this.#log = log;
    this.#stream = stream;
  }

  async executeSql(text: string, values: unknown[] = []): Promise<{ rows: Record<string, unknown>[] }> {
    const { rows } = await (await this.#connected()).query<Record<string, unknown>>(text, values);
    return { rows };
  }

  /** Prepared once per connection. */
  async executeNamed(name: string, text: string, values: unknown[]): Promise<Record<string, unknown>[]> {
    const { rows } = await (await this.#connected()).query<Record<string, unknown>>({ name, text, values });
    return rows;
  }

  /** The number of a type, which differs between databases. */
  async parseOid(type: string): Promise<number> {
    const known = this.#client && this.#oids.get(type);
    if (known !== undefined) return known;
    const { rows } = await this.executeSql('select $1::regtype::oid::bigint::text as oid', [type]);
    const oid = Number(rows[0]!.oid);
    this.#oids.set(type, oid);
    return oid;
  }

  /** Runs `work` between BEGIN and COMMIT; keeps nothing when it rejects or returns `keep: false`. */
  async transaction<T extends { readonly keep: boolean }>(work: () => Promise<T>): Promise<T> {
    await this.executeSql('begin');
    try {
      const result = await work();
      await this.executeSql(result.keep ? 'commit' : 'rollback');
      return result;
    } catch (error) {
      await this.executeSql('rollback').catch(() => this.drop());
      throw error;
    }
  }

  /** Gives the connection up: what was under way on it is over, the next statement opens a new one. */
  drop(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => {});
  }

  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      options: `${sessionOptions} ${PLANS}`,
      application_name: 'touchstone writer',
      ...(this.#stream && { stream: this.#stream }),
    });
    client.on('error', (error) => {
      this.#log.warn('a writer connection broke', { error: error.message });
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#oids.clear();
    this.#client = client;
    return client;
  }
}
