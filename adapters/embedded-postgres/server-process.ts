import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import type { Binaries } from './binaries.ts';
import { isAlive } from './process-table.ts';
import type { ServerLog } from './server-log.ts';
import { asArguments } from './server-settings.ts';
import type { ServerUser } from './server-user.ts';

/** A running postmaster, whoever started it. */
export interface ServerProcess {
  readonly pid: number;
  /** Why it ended, once it has; undefined while it runs. */
  readonly ended: () => string | undefined;
  readonly onEnd: (listener: (why: string) => void) => void;
}

export interface RunningServer extends ServerProcess {
  readonly port: number;
}

const POLL_MILLIS = 100;
const STOP_MILLIS = 20_000;

export interface ServerStart {
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly cluster: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly serverLog: ServerLog;
}

/**
 * Starts the server detached, in a session of its own: Ctrl-C in the terminal then reaches only us, and we stop the
 * server when our requests are drained. It gets none of our environment, which may hold secrets and PG* variables.
 */
export async function spawnServer(start: ServerStart): Promise<ServerProcess> {
  const child = await start.serverLog.withDescriptor((log) => spawnPostmaster(start, log));
  child.unref();
  return watchChild(child);
}

function spawnPostmaster({ binaries, user, cluster, settings }: ServerStart, log: number): ChildProcess {
  try {
    return spawn(binaries.postgres, ['-D', cluster, ...asArguments(settings)], {
      cwd: binaries.root,
      env: { LC_ALL: 'C' },
      stdio: ['ignore', log, log],
      detached: true,
      windowsHide: true,
      ...asUser(user),
    });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`PostgreSQL cannot be run${user ? ` as user ${user.uid}` : ''}: ${reason}`, { cause });
  }
}

function watchChild(child: ChildProcess): ServerProcess {
  const end = new Ending();
  child.once('error', (error) => end.reach(error.message));
  child.once('exit', (code, signal) => end.reach(signal ? `ended by ${signal}` : `ended with code ${code}`));
  return { pid: child.pid ?? 0, ended: () => end.why, onEnd: (listener) => end.on(listener) };
}

/** Watches a server that is not our child, so nothing notifies us when it ends. */
export function watchProcess(pid: number): ServerProcess {
  const end = new Ending();
  const timer = setInterval(() => {
    if (isAlive(pid)) return;
    clearInterval(timer);
    end.reach('is gone');
  }, POLL_MILLIS).unref();
  return { pid, ended: () => end.why, onEnd: (listener) => end.on(listener) };
}

/** A server of ours runs without the rights of root, and without its groups: Node drops them with the user id. */
export function asUser(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

/** Fast shutdown; an immediate one, with recovery at the next start, when that takes too long. Rejects when neither helps. */
export async function stopServer(server: ServerProcess, binaries: Binaries): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (server.ended() !== undefined) return;
    await signalServer(server.pid, signal, binaries);
    await endsWithin(server, STOP_MILLIS);
  }
  if (server.ended() === undefined) throw new Error(`the database server, process ${server.pid}, does not stop`);
}

async function endsWithin(server: ServerProcess, millis: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, millis);
  server.onEnd(() => resolve());
  await promise;
  clearTimeout(timer);
}

/** Sends a signal that PostgreSQL understands, on Windows through its own tool. */
async function signalServer(pid: number, signal: 'SIGINT' | 'SIGQUIT', binaries: Binaries): Promise<void> {
  if (process.platform === 'win32') {
    await promisify(execFile)(binaries.pgCtl, ['kill', signal.slice(3), String(pid)]).catch(() => undefined);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Tells every listener once, also one that comes too late. */
class Ending {
  why: string | undefined;
  readonly #listeners: ((why: string) => void)[] = [];

  on(listener: (why: string) => void): void {
    if (this.why === undefined) this.#listeners.push(listener);
    else listener(this.why);
  }

  reach(why: string): void {
    if (this.why !== undefined) return;
    this.why = why;
    for (const listener of this.#listeners) listener(why);
  }
}
