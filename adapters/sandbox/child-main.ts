/**
 * Runs in the child process: reads requests from standard input, replies on standard output, and dies of its own accord
 * when a request takes too long, when memory runs out, and when the parent is gone. The isolate works on another thread,
 * so this one stays awake while a program loops.
 */
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deserialize } from 'node:v8';
import type IsolatedVM from 'isolated-vm';
import { FrameReader, frameHead } from './frames.ts';
import { IsolateSession } from './isolate-session.ts';
import { Preparations } from './preparations.ts';
import type { Reply, Request } from './protocol.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

const NOBODY = 65_534;
const STANDARD_OUTPUT = 1;
const TICK_MS = 20;
/** An isolate that no request asked for in this time belongs to a call that is over. */
const LINGER_MS = 100;

const [binary = '', settingsText = '', languagesText = ''] = process.argv.slice(2);
const settings: SandboxSettings = JSON.parse(settingsText);
// Before the files of the parent cannot be read any more, and before any program is here.
const preparations = await Preparations.load(JSON.parse(languagesText));
const { ivm } = createRequire(import.meta.url)(binary) as { ivm: typeof IsolatedVM };

interface Current {
  readonly isolate: number;
  readonly session: IsolateSession;
}

let current: Current | undefined;
/** Made while nobody waits. */
let spare: IsolateSession | undefined;
let startedAt: number | undefined;
let linger: NodeJS.Timeout | undefined;

/** Text is written as it is: outcomes come out of the isolate as JSON, and the parent checks them. */
function send(reply: Reply | string): void {
  const body = Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply));
  const bytes = Buffer.concat([frameHead(body.length), body]);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(STANDARD_OUTPUT, bytes, sent);
}

/** SIGKILL, because `process.exit` waits for threads, and a stuck isolate never ends. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

function dieFrom(trouble: 'timed_out' | 'out_of_memory'): never {
  try {
    send({ kind: 'trouble', trouble, at: 'call' });
  } finally {
    die();
  }
}

const elapsed = (): number => (startedAt === undefined ? 0 : performance.now() - startedAt);

/** V8 has lost the isolate; whether over time or memory, the clock tells. */
const onCatastrophe = (): void => dieFrom(elapsed() >= 0.95 * settings.run_ms ? 'timed_out' : 'out_of_memory');

function watch(): void {
  if (process.memoryUsage.rss() > settings.rss_mb * 2 ** 20) dieFrom('out_of_memory');
  if (elapsed() > settings.run_ms + settings.kill_grace_ms / 2) dieFrom('timed_out');
}

/** The parent's files were readable until here; nothing is needed of them any more. */
function becomeNobody(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  } catch {
    // A container may forbid it. The parent hears the user's number and says so in its log.
  }
}

const newSession = (): IsolateSession => new IsolateSession(ivm, settings, onCatastrophe);

async function handle(request: Request): Promise<void> {
  clearTimeout(linger);
  startedAt = performance.now();
  const before = current;
  const reply = await score(request);
  startedAt = undefined;
  send(reply);
  setImmediate(() => {
    if (before !== current) before?.session.dispose();
    spare ??= newSession();
  });
  linger = setTimeout(forget, LINGER_MS);
}

async function score({ isolate, program, records }: Request): Promise<Reply | string> {
  if (current?.isolate === isolate) return current.session.score(records, performance.now());
  const prepared = preparations.apply(program);
  if ('failed' in prepared) return prepared.failed;
  const session = spare ?? newSession();
  spare = undefined;
  const beganAt = performance.now();
  const unloaded = await session.load(prepared, beganAt);
  if (unloaded) {
    session.dispose();
    return unloaded;
  }
  current = { isolate, session };
  return session.score(records, beganAt);
}

function forget(): void {
  current?.session.dispose();
  current = undefined;
}

// A signal to the whole process group (Ctrl-C, a service manager) is meant for the parent, which will close its children.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const reader = new FrameReader(64 * 2 ** 20);
process.stdin.on('data', (bytes: Buffer) => {
  for (const frame of reader.push(bytes)) handle(deserialize(frame)).catch(die);
});
process.stdin.on('close', die);
becomeNobody();
setInterval(watch, TICK_MS);
spare = newSession();
const user = process.getuid?.();
send({ kind: 'ready', ...(user === undefined ? {} : { user }) });
