import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
  startEmbeddedPostgres,
} from '../../adapters/embedded-postgres/embedded-postgres.ts';

const RETRY_MS = 500;
const GIVE_UP_MS = 60_000;
/** A server that ends this often within `GIVE_UP_MS` would only be started to end again. */
const MOST_ENDS = 5;

/**
 * A database server of our own. When it ends unasked it is started again under the same address, so that everything
 * that holds connections finds it again by itself; requests are answered 503 meanwhile.
 */
export class RevivedServer {
  readonly url: string;
  readonly #settings: EmbeddedPostgresSettings;
  #server: EmbeddedPostgres;
  #ends: number[] = [];
  #isStopping = false;
  #reviving: Promise<void> = Promise.resolve();
  #giveUp: (why: string) => void = () => {};

  private constructor(settings: EmbeddedPostgresSettings, server: EmbeddedPostgres) {
    this.url = server.url;
    // A client that looks for a server must find this one where the last one was.
    this.#settings = { ...settings, serverSettings: { ...settings.serverSettings, port: new URL(server.url).port } };
    this.#server = server;
    this.#watch();
  }

  static async start(settings: EmbeddedPostgresSettings): Promise<RevivedServer> {
    return new RevivedServer(settings, await startEmbeddedPostgres(settings));
  }

  /** Calls back, with the reason, when the server ended without being asked to and cannot be had again. */
  onGone(listener: (why: string) => void): void {
    this.#giveUp = listener;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#reviving;
    await this.#server.stop();
  }

  #watch(): void {
    this.#server.onExit((why) => {
      this.#reviving = this.#revive(why);
    });
  }

  async #revive(why: string): Promise<void> {
    const endedAt = Date.now();
    this.#ends = [...this.#ends.filter((at) => at > endedAt - GIVE_UP_MS), endedAt];
    const { log } = this.#settings;
    log.error('the database server ended, it is started again', { why });
    while (!this.#isStopping) {
      if (this.#ends.length > MOST_ENDS || Date.now() > endedAt + GIVE_UP_MS) return this.#giveUp(why);
      try {
        await this.#server.stop();
        this.#server = await startEmbeddedPostgres(this.#settings);
        this.#watch();
        return;
      } catch (error) {
        log.error('the database server cannot be started again yet', { error: String(error) });
        await sleep(RETRY_MS);
      }
    }
  }
}
