import type { MikroORM } from '@mikro-orm/postgresql';
import { Kysely } from 'kysely';
import type { Log } from '../../../../core/kernel/ports.ts';
import { openOrm, type Tables } from '../orm.ts';
import { replicaDialect } from './replica-dialect.ts';
import { ReplicaWatch } from './replica-watch.ts';

export interface ReadReplicaSettings {
  readonly primaryUrl: string;
  readonly primary: MikroORM;
  /** Of the replica. */
  readonly url: string;
  readonly poolSize: number;
  readonly maxStalenessMs: number;
  readonly log: Log;
}

/**
 * A streaming replica for what may be read a moment late: exports, trends, scans for insights. Whether it is there is found out
 * while the service runs; without it everything is read from the primary.
 */
export class ReadReplica {
  /** Executes statements that read, on the replica or else on the primary. It begins no transactions. */
  readonly db: Kysely<Tables>;
  readonly #watch: ReplicaWatch;
  readonly #settings: ReadReplicaSettings;
  #opening: Promise<MikroORM> | undefined;

  constructor(settings: ReadReplicaSettings) {
    const { primaryUrl, primary, url, maxStalenessMs, log } = settings;
    this.#settings = settings;
    this.#watch = new ReplicaWatch({ primaryUrl, replicaUrl: url, maxStalenessMs, log });
    this.db = new Kysely({
      dialect: replicaDialect({
        primary: () => primary.em.getConnection().getClient<Tables>(),
        replica: async () => (await this.#open()).em.getConnection().getClient<Tables>(),
        isFresh: () => this.#watch.isFresh,
        log,
      }),
    });
  }

  /** How old the data on the replica are at most, in milliseconds; infinite while that is not known. */
  get stalenessMs(): number {
    return this.#watch.stalenessMs;
  }

  async close(): Promise<void> {
    await this.#watch.stop();
    await (await this.#opening?.catch(() => undefined))?.close(true);
  }

  #open(): Promise<MikroORM> {
    const { url, poolSize } = this.#settings;
    this.#opening ??= openOrm({ url, poolSize }).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }
}
