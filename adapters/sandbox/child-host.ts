import { writeSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { FrameReader, frameHead } from './frames.ts';
import type { Reply, Request } from './protocol.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

const NOBODY = 65_534;
const STANDARD_OUTPUT = 1;
const TICK_MS = 20;
/** An isolate or a program that no request asked for in this time belongs to a call that is over. */
const LINGER_MS = 100;
const MAX_FRAME_BYTES = 64 * 2 ** 20;

/** Text is written as it is: outcomes come out of the isolate as JSON, and the parent checks them. */
export function send(reply: Reply | string): void {
  const body = Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply));
  writeAll(Buffer.concat([frameHead(body.length), body]));
}

export function writeAll(bytes: Uint8Array): void {
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(STANDARD_OUTPUT, bytes, sent);
}

/** SIGKILL, because `process.exit` waits for threads, and a stuck isolate never ends. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

/** The parent's files were readable until here; nothing is needed of them any more. */
export function becomeNobody(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  } catch {
    // A container may forbid it. The parent hears the user's number and says so in its log.
  }
}

export interface ChildWork {
  /** The records are JSON in UTF-8, with `RECORD_MARK` between them. */
  score(request: Request, records: Buffer): Promise<Reply | string>;
  /** Once a reply is out, while nobody waits. */
  rest(): void;
  /** When nobody will come back to the last request. */
  forget(): void;
}

/**
 * The child process as its parent knows it: reads requests from standard input, replies on standard output, and dies of its own accord
 * when a request takes too long, when memory runs out, and when the parent is gone. Programs run on another thread, so this one stays awake.
 */
export class ChildHost {
  readonly #settings: SandboxSettings;
  readonly #rssMb: number;
  #startedAt: number | undefined;
  #linger: NodeJS.Timeout | undefined;
  #work: ChildWork | undefined;
  /** The first frame of a request, whose records are still to come. */
  #request: Buffer | undefined;
  /** The frame that came before there was anything to do with it. */
  readonly #first = Promise.withResolvers<Buffer>();

  constructor(settings: SandboxSettings, rssMb: number) {
    this.#settings = settings;
    this.#rssMb = rssMb;
    // A signal to the whole process group (Ctrl-C, a service manager) is meant for the parent, which will close its children.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
    const reader = new FrameReader(MAX_FRAME_BYTES);
    process.stdin.on('data', (bytes: Buffer) => {
      for (const frame of reader.push(bytes)) this.#take(frame);
    });
    process.stdin.on('close', die);
  }

  /** Resolves with the frame that the parent sends before the first request. */
  firstFrame(): Promise<Buffer> {
    return this.#first.promise;
  }

  /** Takes requests from now on. */
  serve(work: ChildWork): void {
    this.#work = work;
    setInterval(() => this.#watch(), TICK_MS);
    const user = process.getuid?.();
    send({ kind: 'ready', ...(user === undefined ? {} : { user }) });
  }

  /** V8 has lost the isolate; whether over time or memory, the clock tells. */
  readonly onCatastrophe = (): void =>
    this.#dieFrom(this.#elapsed() >= 0.95 * this.#settings.run_ms ? 'timed_out' : 'out_of_memory');

  #take(frame: Buffer): void {
    const request = this.#request;
    if (!this.#work) this.#first.resolve(frame);
    else if (!request) this.#request = frame;
    else {
      this.#request = undefined;
      this.#handle(this.#work, deserialize(request), frame).catch(die);
    }
  }

  async #handle(work: ChildWork, request: Request, records: Buffer): Promise<void> {
    clearTimeout(this.#linger);
    this.#startedAt = performance.now();
    const reply = await work.score(request, records);
    this.#startedAt = undefined;
    send(reply);
    setImmediate(() => work.rest());
    this.#linger = setTimeout(() => work.forget(), LINGER_MS);
  }

  #elapsed(): number {
    return this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt;
  }

  #watch(): void {
    if (process.memoryUsage.rss() > this.#rssMb * 2 ** 20) this.#dieFrom('out_of_memory');
    if (this.#elapsed() > this.#settings.run_ms + this.#settings.kill_grace_ms / 2) this.#dieFrom('timed_out');
  }

  #dieFrom(trouble: 'timed_out' | 'out_of_memory'): never {
    try {
      send({ kind: 'trouble', trouble, at: 'call' });
    } finally {
      die();
    }
  }
}
