import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { START_COMMAND } from '../config/start-command.ts';

const ROOT = resolve(import.meta.dirname, '..');
const START_MS = 60_000;
const STOP_MS = 20_000;

/** The service as its users run it, in a process of its own. */
export class Service {
  readonly url: string;
  /** From the start of the process to its word that it listens. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string, startMs: number) {
    this.#child = child;
    this.url = url;
    this.startMs = startMs;
  }

  static async start(env: Readonly<Record<string, string>>, root = ROOT): Promise<Service> {
    const began = performance.now();
    const child = spawn(process.execPath, [...process.execArgv, ...START_COMMAND], {
      cwd: root,
      env: { PATH: process.env.PATH, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    try {
      const url = await listening(child);
      return new Service(child, url, performance.now() - began);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /** Asks it to end and waits for it. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((settle) => this.#child.once('exit', settle));
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_MS);
    this.#child.kill('SIGTERM');
    await ended;
    clearTimeout(late);
  }
}

function listening(child: ChildProcess): Promise<string> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<string>();
  let printed = '';
  const late = setTimeout(() => reject(new Error(`the service did not start:\n${printed}`)), START_MS);
  const hear = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-10_000);
    const url = /listening on (\S+)/.exec(printed)?.[1];
    if (url !== undefined) settle(url);
  };
  child.stdout!.on('data', hear);
  child.stderr!.on('data', hear);
  child.once('error', reject);
  child.once('exit', () => reject(new Error(`the service ended:\n${printed}`)));
  return promise.finally(() => clearTimeout(late));
}
