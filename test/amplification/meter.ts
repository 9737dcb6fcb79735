import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Measured {
  readonly status: number;
  /** Bytes of the request's body. */
  readonly sent: number;
  /** Bytes of the reply. */
  readonly received: number;
  /** The reply's first characters. */
  readonly text: string;
  /** Processor time of the service until it was still again. */
  readonly cpu_ms: number;
  /** The longest that it took without a turn for others: the delay of the event loop, on a machine of its own. */
  readonly delay_ms: number;
}

type Reply = Pick<Measured, 'status' | 'received' | 'text'>;

const TURN_MS = 2;
/** After the reply the connection is still tidied up, and turns that were missed are counted. */
const AFTERWARDS_MS = 10;

/**
 * Measures what requests cost a service that runs in this thread, one at a time. Counted is processor time of the thread, not
 * what a clock says: on a busy machine the one stays and the other grows. Requests are sent by another thread.
 */
export class Meter {
  readonly #worker = new Worker(new URL('sender.js', import.meta.url));
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #id = 0;

  constructor() {
    this.#worker.on('message', ({ id, ...reply }: Reply & { readonly id: number }) => {
      this.#waiting.get(id)?.(reply);
      this.#waiting.delete(id);
    });
  }

  async measure(sent: Sent): Promise<Measured> {
    const turns = new Turns();
    const sentBytes = sent.bytes.byteLength;
    const before = cpuMs();
    const reply = await this.send(sent);
    await sleep(AFTERWARDS_MS);
    const cpu_ms = cpuMs() - before;
    return { ...reply, sent: sentBytes, cpu_ms, delay_ms: turns.end() };
  }

  send(sent: Sent): Promise<Reply> {
    const id = ++this.#id;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(id, resolve);
    this.#worker.postMessage({ ...sent, id }, [sent.bytes.buffer]);
    return promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Looks from turn to turn at how much processor time went by. */
class Turns {
  #last = cpuMs();
  #longest = 0;
  readonly #timer = setInterval(() => this.#look(), TURN_MS);

  end(): number {
    clearInterval(this.#timer);
    this.#look();
    return this.#longest;
  }

  #look(): void {
    const now = cpuMs();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
