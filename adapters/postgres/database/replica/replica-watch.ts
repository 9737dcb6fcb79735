import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../../../core/kernel/ports.ts';
import { parseLsn, ReplicaPosition } from './replica-position.ts';

export interface ReplicaWatchDeps {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  /** How old the data read from the replica may be, in milliseconds. */
  readonly maxStalenessMs: number;
  readonly log: Log;
}

const EVERY_MS = 1_000;
/** How long one question may take; a server that takes longer is as good as away. */
const ASK_MS = 2_000;

const PRIMARY = 'select system_identifier::text as system, pg_current_wal_flush_lsn()::text as lsn from pg_control_system()';
const REPLICA =
  'select system_identifier::text as system, pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as lsn from pg_control_system()';

interface PrimaryRow {
  readonly system: string;
  readonly lsn: string;
}
interface ReplicaRow {
  readonly system: string;
  readonly standby: boolean;
  readonly lsn: string | null;
}

/**
 * Asks primary and streaming replica (hot standby) every second how far they are, to say whether the replica may be read: while
 * what it shows is at most `maxStalenessMs` old. A replica that is away, behind, promoted or of another primary may not.
 */
export class ReplicaWatch {
  readonly #deps: ReplicaWatchDeps;
  readonly #position = new ReplicaPosition();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #primary: Client | undefined;
  #replica: Client | undefined;
  #wasFresh: boolean | undefined;

  constructor(deps: ReplicaWatchDeps) {
    this.#deps = deps;
    this.#ended = this.#run();
  }

  get isFresh(): boolean {
    return this.#position.staleness(performance.now()) <= this.#deps.maxStalenessMs;
  }

  /** How old the data on the replica are at most, in milliseconds; infinite while that is not known. */
  get stalenessMs(): number {
    return this.#position.staleness(performance.now());
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    await Promise.all([this.#primary, this.#replica].map((client) => client?.end().catch(() => undefined)));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const problem = await this.#look();
      this.#tell(problem);
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  }

  /** Returns why the replica may not be read for a reason other than its delay. */
  async #look(): Promise<string | undefined> {
    const at = performance.now();
    const primary = await this.#askPrimary();
    if (primary) this.#position.addPrimary(at, parseLsn(primary.lsn));
    const replica = await this.#askReplica();
    if (replica?.standby && (!primary || primary.system === replica.system)) {
      if (replica.lsn !== null) this.#position.addReplica(parseLsn(replica.lsn));
      return undefined;
    }
    this.#position.forget();
    if (!replica) return 'it does not respond';
    return replica.standby ? 'it follows another primary' : 'it is no standby';
  }

  async #askPrimary(): Promise<PrimaryRow | undefined> {
    try {
      this.#primary ??= await connect(this.#deps.primaryUrl);
      return (await this.#primary.query<PrimaryRow>(PRIMARY)).rows[0];
    } catch {
      void this.#primary?.end().catch(() => undefined);
      this.#primary = undefined;
      return undefined;
    }
  }

  async #askReplica(): Promise<ReplicaRow | undefined> {
    try {
      this.#replica ??= await connect(this.#deps.replicaUrl);
      return (await this.#replica.query<ReplicaRow>(REPLICA)).rows[0];
    } catch {
      void this.#replica?.end().catch(() => undefined);
      this.#replica = undefined;
      return undefined;
    }
  }

  #tell(problem: string | undefined): void {
    const { log, maxStalenessMs } = this.#deps;
    const isFresh = this.isFresh;
    if (isFresh === this.#wasFresh) return;
    if (isFresh) log.info('reports are read from the replica', { staleness_ms: Math.round(this.stalenessMs) });
    else
      log.warn('the replica may not be read: reports are read from the primary', {
        why: problem ?? `it is more than ${maxStalenessMs} ms behind`,
      });
    this.#wasFresh = isFresh;
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({
    connectionString,
    application_name: 'touchstone replica watch',
    connectionTimeoutMillis: ASK_MS,
    query_timeout: ASK_MS,
  });
  // Whatever it reports here, the next query reports as well.
  client.on('error', () => {});
  await client.connect();
  return client;
}
