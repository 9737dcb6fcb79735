import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { AppError } from '../../../core/kernel/errors.ts';
import type { Log } from '../../../core/kernel/ports.ts';
import { unavailable } from './database-failure.ts';
import { DatabaseSockets } from './database-sockets.ts';

export interface DatabaseHeartbeatDeps {
  readonly url: string;
  readonly log: Log;
  /** Called each time that the database falls silent. */
  onUnresponsive(why: Error): void;
}

const BEAT_MS = 250;
const TICK_MS = 250;
/** Silent is who says nothing for so many ticks. Ticks, not time: while our own process is held up it hears nothing either. */
const PATIENCE = 6;

/**
 * Asks the database for a heartbeat, on a connection of its own, again and again. A network that swallows everything
 * tells nobody: without this, whoever waits for an answer would wait for as long as the longest statement may take. A
 * refusal is a heartbeat too: whoever asks is told at once.
 */
export class DatabaseHeartbeat {
  readonly #deps: DatabaseHeartbeatDeps;
  readonly #sockets = new DatabaseSockets();
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #client: Client | undefined;
  #isSilent = false;

  constructor(deps: DatabaseHeartbeatDeps) {
    this.#deps = deps;
    this.#ended = this.#run();
  }

  /** Why what needs the database would fail now, known without asking it. */
  get failure(): AppError | undefined {
    return this.#isSilent ? unavailable(silence()) : undefined;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
    this.#sockets.cut(silence());
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const answers = await this.#answers();
      if (signal.aborted) return;
      if (answers === this.#isSilent) this.#turn(!answers);
      await sleep(BEAT_MS, undefined, { signal }).catch(() => {});
    }
  }

  #turn(isSilent: boolean): void {
    const { log, onUnresponsive } = this.#deps;
    this.#isSilent = isSilent;
    if (isSilent) {
      log.error('the database has fallen silent: its connections are given up');
      onUnresponsive(silence());
    } else log.warn('the database responds again');
  }

  async #answers(): Promise<boolean> {
    let answered = false;
    const answer = this.#ask().then(() => {
      answered = true;
    });
    for (let tick = 0; tick < PATIENCE && !answered && !this.#stop.signal.aborted; tick += 1)
      await Promise.race([answer, sleep(TICK_MS)]);
    if (answered) return true;
    this.#sockets.cut(silence());
    await answer;
    return false;
  }

  /** Resolves when anything at all comes back. */
  async #ask(): Promise<void> {
    try {
      this.#client ??= await this.#connected();
      await this.#client.query('select');
    } catch {
      this.#client = undefined;
    }
  }

  async #connected(): Promise<Client> {
    const { url: connectionString } = this.#deps;
    const client = new Client({ connectionString, application_name: 'touchstone heartbeat', stream: this.#sockets.make });
    // Whatever it reports here, the next query reports as well.
    client.on('error', () => {});
    await client.connect();
    return client;
  }
}

/** Told apart by its code from a fault: who waited is answered that the database cannot be had. */
const silence = (): Error => Object.assign(new Error('the database does not say anything any more'), { code: 'ETIMEDOUT' });
