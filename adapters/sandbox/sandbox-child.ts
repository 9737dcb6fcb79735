import { type ChildProcess, spawn } from 'node:child_process';
import { serialize } from 'node:v8';
import { FrameReader, frameHead } from './frames.ts';
import { type ProcessWall, residentMb } from './process-wall.ts';
import { Reply, type Request, type Trouble } from './protocol.ts';
import { jobsLimit, rssLimit, type SandboxEngine, type SandboxLanguage, type SandboxSettings } from './sandbox-settings.ts';

/** Starting is bounded only against a process that hangs: a busy machine takes its time. */
const START_MS = { javascript: 60_000, python: 120_000 } as const;
const MAX_REPLY_BYTES = 4 * 2 ** 20;
/** When another process takes its place. A new one of Python takes seconds, for which its scorers wait. */
const MAX_AGE_MS = { javascript: 600_000, python: 3_600_000 } as const;
const WATCH_MS = 20;

interface Waiting {
  resolve(reply: Reply): void;
  readonly timer: NodeJS.Timeout;
}

/** The engine that a process is started for, and all that it needs. */
export interface ChildStart {
  readonly engine: SandboxEngine;
  readonly wall: ProcessWall;
  readonly settings: SandboxSettings;
  readonly languages: readonly SandboxLanguage[];
  /** Sent before the first request. */
  readonly image?: Uint8Array;
}

/** One child process, seen from the parent: nothing it says is believed before it is checked, and it can be killed. */
export class SandboxChild {
  readonly engine: SandboxEngine;
  readonly #process: ChildProcess;
  readonly #settings: SandboxSettings;
  readonly #replies = new FrameReader(MAX_REPLY_BYTES);
  readonly #bornAt = performance.now();
  readonly ended: Promise<void>;
  #isolates = new Set<number>();
  #waiting: Waiting | undefined;
  #watch: NodeJS.Timeout | undefined;
  #verdict: Trouble['trouble'] | undefined;
  #usable = true;
  #errors = '';

  private constructor(child: ChildProcess, settings: SandboxSettings, engine: SandboxEngine) {
    this.#process = child;
    this.#settings = settings;
    this.engine = engine;
    // Its last words may still be on the way: they are waited for until `close`.
    child.once('exit', () => {
      this.#usable = false;
    });
    this.ended = new Promise((resolve) => {
      child.once('close', () => {
        this.#end();
        resolve();
      });
      child.once('error', (error) => {
        this.#errors += error.message;
        this.#end();
        resolve();
      });
    });
    child.stdin!.on('error', () => {}); // the child died while we were writing; `close` follows
    child.stdout!.on('data', (bytes: Buffer) => this.#hear(bytes));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(0, 2_000);
    });
  }

  /** Rejects when the process does not come up: then the sandbox is broken, not a program. */
  static async start({
    engine,
    wall,
    settings,
    languages,
    image,
  }: ChildStart): Promise<{ child: SandboxChild; user: number | undefined }> {
    const { file, args } = wall.command(engine, settings, languages);
    const process = spawn(file, args, { env: {}, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
    const child = new SandboxChild(process, settings, engine);
    if (image) child.#send(image);
    const reply = await child.#expect(START_MS[engine]);
    if (reply.kind === 'ready') return { child, user: reply.user };
    await child.kill();
    throw new Error(`the sandbox process did not start: ${child.#errors || 'no reason given'}`);
  }

  /** False once it had trouble or made enough isolates. */
  get usable(): boolean {
    const age = performance.now() - this.#bornAt;
    return this.#usable && this.#isolates.size < jobsLimit(this.engine, this.#settings) && age < MAX_AGE_MS[this.engine];
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** One request at a time. Resolves in any case, with `trouble` when the process is gone or has to go. */
  async ask(request: Request, records: Uint8Array): Promise<Reply> {
    if (!this.#usable) return trouble('lost');
    this.#isolates.add(request.isolate);
    const { run_ms, kill_grace_ms } = this.#settings;
    const reply = this.#expect(run_ms + kill_grace_ms);
    this.#watch = setInterval(() => this.#checkMemory(), WATCH_MS);
    this.#send(serialize(request), records);
    return reply;
  }

  /** Where the signal is refused, the child ends itself when its standard input does. */
  kill(): Promise<void> {
    this.#usable = false;
    this.#process.kill('SIGKILL');
    this.#process.stdin!.destroy();
    return this.ended;
  }

  #send(...bodies: Uint8Array[]): void {
    this.#process.stdin!.cork();
    for (const body of bodies) {
      this.#process.stdin!.write(frameHead(body.length));
      this.#process.stdin!.write(body);
    }
    this.#process.stdin!.uncork();
  }

  #expect(ms: number): Promise<Reply> {
    return new Promise((resolve) => {
      // After a long pause of our own, a reply may lie unread: it is read before the immediate runs.
      const timer = setTimeout(() => setImmediate(() => this.#waiting?.timer === timer && this.#condemn('timed_out')), ms);
      this.#waiting = { resolve, timer };
    });
  }

  #checkMemory(): void {
    const mb = this.pid === undefined ? undefined : residentMb(this.pid);
    if (mb !== undefined && mb > rssLimit(this.engine, this.#settings)) this.#condemn('out_of_memory');
  }

  #condemn(verdict: Trouble['trouble']): void {
    this.#verdict ??= verdict;
    void this.kill();
  }

  #hear(bytes: Buffer): void {
    try {
      for (const frame of this.#replies.push(bytes)) {
        if (!this.#waiting) throw new Error('a reply to no request');
        this.#settle(Reply.parse(JSON.parse(frame.toString())));
      }
    } catch {
      this.#condemn('broken');
    }
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearInterval(this.#watch);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    if (reply.kind === 'trouble' || (reply.kind === 'program' && reply.worn)) this.#usable = false;
    waiting.resolve(reply);
  }

  /** `lost` when neither of us ended it: V8 gives up when it cannot get memory, and somebody else may have killed it. */
  #end(): void {
    this.#usable = false;
    this.#settle(trouble(this.#verdict ?? 'lost'));
  }
}

const trouble = (kind: Trouble['trouble']): Trouble => ({ kind: 'trouble', trouble: kind, at: 'call' });
