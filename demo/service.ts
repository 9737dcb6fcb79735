import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { START_COMMAND } from '../config/start-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A service that the demo started itself. */
export interface OwnService {
  /** Settles when the service has ended, with its exit code. */
  readonly ended: Promise<number | null>;
  /** Asks the service to finish; it does so in good order. */
  stop(): void;
  /** The last lines it printed, for the day it does not start. */
  lastLines(): string;
}

const ROOT = resolve(import.meta.dirname, '..');
const START_LIMIT_MS = 120_000;

export function toServiceUrl(env: Environment): string {
  const host = env.HOST || '127.0.0.1';
  // "All interfaces" is an address to listen on, not one to call.
  const callable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${callable.includes(':') ? `[${callable}]` : callable}:${env.PORT || '8088'}`;
}

/** `absent`: nobody listens. `busy`: somebody does and is not ready, or is not this service. */
export async function probeService(url: string): Promise<'ready' | 'busy' | 'absent'> {
  try {
    const res = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) });
    await res.body?.cancel();
    return res.status === 200 ? 'ready' : 'busy';
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED' ? 'absent' : 'busy';
  }
}

export function startService(env: NodeJS.ProcessEnv): OwnService {
  const child: ChildProcess = spawn(process.execPath, START_COMMAND, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches every process of the terminal's group. In a group of its own the service hears it once, from us;
    // a second signal would make it drop its work.
    detached: true,
  });
  let tail = '';
  const keep = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-4000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  child.on('error', (error) => keep(Buffer.from(error.message)));
  const ended = new Promise<number | null>((settle) => {
    child.once('exit', (code) => settle(code));
    child.once('error', () => settle(1));
  });
  return {
    ended,
    stop: () => void child.kill('SIGTERM'),
    lastLines: () => tail.split('\n').slice(-20).join('\n'),
  };
}

/** Waits for the service to answer; gives up at once when a service of our own has ended. */
export async function untilReady(url: string, own: OwnService | undefined, limitMs = START_LIMIT_MS): Promise<void> {
  let over = false;
  void own?.ended.then(() => {
    over = true;
  });
  for (const deadline = Date.now() + limitMs; (await probeService(url)) !== 'ready'; await sleep(250)) {
    if (over) throw new Error(`the service ended while starting; its last lines:\n${own?.lastLines()}`);
    if (Date.now() > deadline)
      throw new Error(`${url}/readyz did not answer 200 within ${limitMs / 1000} s${own ? `\n${own.lastLines()}` : ''}`);
  }
}

/** The administrator's key, as the environment or the service's own file has it. */
export function getApiKey(env: Environment): string {
  if (env.ADMIN_API_KEY) return env.ADMIN_API_KEY;
  const file = credentialsFile(env);
  try {
    const { admin_api_key } = JSON.parse(readFileSync(file, 'utf8')) as { admin_api_key?: string };
    if (admin_api_key) return admin_api_key;
  } catch (cause) {
    throw new Error(`no API key: ADMIN_API_KEY is not set and ${file} cannot be read`, { cause });
  }
  throw new Error(`no API key: ADMIN_API_KEY is not set and ${file} has no admin_api_key`);
}

export function credentialsFile(env: Environment): string {
  return join(resolve(ROOT, env.DATA_DIR || 'data'), 'credentials.json');
}
