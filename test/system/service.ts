import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { START_COMMAND } from '../../config/start-command.ts';
import { bareEnvironment } from '../setup/compile-cache.ts';
import { PATIENCE_MS } from '../setup/timing.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export type Environment = Readonly<Record<string, string>>;

/** How a run of the process ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Reply<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

const running = new Set<ServiceRun>();
const folders = new Set<string>();

// A test run that is cut short leaves nothing behind either.
process.once('exit', () => {
  for (const run of running) run.signal('SIGKILL');
  for (const folder of folders) killDatabaseOf(folder);
});

/** A fresh folder for the data of a service, in the one given. `endEverything` removes it. */
export async function makeDataDir(parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, 'touchstone-service-'));
  // As root, the database runs as another user, who has to get through.
  await chmod(path, 0o711);
  folders.add(path);
  return path;
}

/** Ends every process that a test started, however it ended, and removes the folders. */
export async function endEverything(): Promise<void> {
  await Promise.all([...running].map((run) => run.kill()));
  for (const folder of folders) {
    killDatabaseOf(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    folders.delete(folder);
  }
}

/** The process id of the database server of a data folder; undefined when none runs. */
export function databasePid(dataDir: string): number | undefined {
  try {
    return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]) || undefined;
  } catch {
    return undefined;
  }
}

function killDatabaseOf(folder: string): void {
  const pid = databasePid(folder);
  // SIGQUIT also ends the server's own children, and at once.
  if (pid) signalProcess(pid, 'SIGQUIT');
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

/** One run of the real process. It sees next to nothing of our own environment. */
export class ServiceRun {
  readonly dataDir: string;
  readonly ended: Promise<Ended>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;

  constructor(dataDir: string, env: Environment = {}) {
    this.dataDir = dataDir;
    this.#child = spawn(process.execPath, START_COMMAND, {
      cwd: ROOT,
      env: { ...bareEnvironment(), DATA_DIR: dataDir, PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(this);
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.ended = new Promise((settle) => {
      // `close`, unlike `exit`, comes after the last output.
      this.#child.once('close', (code, signal) => {
        running.delete(this);
        settle({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks it to end, as a supervisor does. */
  async stop(): Promise<Ended> {
    this.signal('SIGTERM');
    return this.ended;
  }

  /** Ends it without a chance to tidy up. */
  async kill(): Promise<Ended> {
    this.signal('SIGKILL');
    // Processes that it started may hold the pipes of a killed process open.
    this.#child.once('exit', () => {
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
    });
    return this.ended;
  }

  /** Resolves to the address it prints; rejects when it ends or says nothing in time. */
  async listening(): Promise<string> {
    for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(5)) {
      const url = /^listening on (http:\S+)$/m.exec(this.stdout)?.[1];
      if (url) return url;
      if (this.hasEnded || Date.now() > deadline) {
        const { code } = this.hasEnded ? await this.ended : await this.kill();
        throw new Error(`the service did not start (exit code ${code}):\n${this.stdout}${this.stderr}`);
      }
    }
  }
}

/** A service that listens, and the key to it. */
export class Service {
  readonly run: ServiceRun;
  readonly url: string;
  readonly key: string;

  constructor(run: ServiceRun, url: string, key: string) {
    this.run = run;
    this.url = url;
    this.key = key;
  }

  async call<T = unknown>(method: string, path: string, body?: unknown, headers: Environment = {}): Promise<Reply<T>> {
    const content = body instanceof FormData ? body : body === undefined ? undefined : JSON.stringify(body);
    const type: Environment = typeof content === 'string' ? { 'content-type': 'application/json' } : {};
    const res = await fetch(`${this.url}${path}`, {
      method,
      headers: { 'Service-API-Key': this.key, ...type, ...headers },
      ...(content === undefined ? {} : { body: content }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await res.text();
    const isJson = res.headers.get('content-type')?.includes('json');
    return { status: res.status, headers: res.headers, text, body: (isJson ? JSON.parse(text) : undefined) as T };
  }

  /** Like `call`, and rejects unless the answer is 200. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.call<T>(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    return reply.body;
  }

  stop(): Promise<Ended> {
    return this.run.stop();
  }

  kill(): Promise<Ended> {
    return this.run.kill();
  }
}

/** Starts the process and waits until it listens. The key is the one it keeps in its data folder, or `ADMIN_API_KEY`. */
export async function startService(dataDir: string, env: Environment = {}): Promise<Service> {
  const run = new ServiceRun(dataDir, env);
  const url = await run.listening();
  return new Service(run, url, env.ADMIN_API_KEY ?? (await keyIn(dataDir)));
}

async function keyIn(dataDir: string): Promise<string> {
  if (!(await readdir(dataDir)).includes('credentials.json')) return '';
  const { admin_api_key = '' } = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  return admin_api_key;
}

export interface Place {
  readonly project_id: string;
  readonly log_stream_id: string;
}

export async function makeLogStream(service: Service, known?: { project_id: string }): Promise<Place> {
  const { id } = known
    ? { id: known.project_id }
    : await service.ask<{ id: string }>('POST', '/v2/projects', { name: `project ${randomUUID()}` });
  const path = `/v2/projects/${id}/log_streams`;
  const stream = await service.ask<{ id: string }>('POST', path, { name: `stream ${randomUUID()}` });
  return { project_id: id, log_stream_id: stream.id };
}

export interface NewTrace {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** A trace with one span, both with ids of their own. */
export function newTrace(fields: object = {}): NewTrace {
  const span = { id: randomUUID(), type: 'tool', name: 'lookup', input: 'a', output: 'b' };
  return { id: randomUUID(), name: 'question', input: 'what is it?', output: 'it is what it is', spans: [span], ...fields };
}

export function logTraces(service: Service, { project_id, log_stream_id }: Place, traces: readonly NewTrace[]) {
  return service.call<{ trace_ids: string[] }>('POST', `/v2/projects/${project_id}/traces`, { log_stream_id, traces });
}

export interface FoundRecord {
  readonly id: string;
  readonly trace_id: string;
  readonly metric_info: Readonly<Record<string, { readonly status_type: string; readonly value?: unknown }>>;
}

/** Every trace or span of a log stream, page by page. */
export async function search(service: Service, place: Place, level: 'traces' | 'spans'): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (let starting_token: number | null = 0; starting_token !== null; ) {
    const page: { records: FoundRecord[]; next_starting_token: number | null } = await service.ask(
      'POST',
      `/v2/projects/${place.project_id}/${level}/search`,
      { log_stream_id: place.log_stream_id, starting_token, limit: 1000 },
    );
    found.push(...page.records);
    starting_token = page.next_starting_token;
  }
  return found;
}

/** Makes a code scorer of traces and enables it in a log stream. Returns the id of its version. */
export async function enableCodeScorer(
  service: Service,
  place: Place,
  name: string,
  source: string,
  filename = 'scorer.js',
): Promise<string> {
  const scorer = { name, scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'percentage' };
  const { id } = await service.ask<{ id: string }>('POST', '/v2/scorers', scorer);
  const form = new FormData();
  form.set('file', new File([source], filename, { type: 'text/plain' }));
  form.set('validation_result', '{}');
  const version = await service.ask<{ id: string }>('POST', `/v2/scorers/${id}/version/code`, form);
  const path = `/v2/projects/${place.project_id}/log_streams/${place.log_stream_id}/metric_settings`;
  const { scorers } = await service.ask<{ scorers: { id: string }[] }>('GET', path);
  await service.ask('PATCH', path, { scorers: [...scorers.map((one) => ({ id: one.id })), { id }] });
  return version.id;
}

/** Asks until the answer pleases; rejects with the last one when it never does. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T>,
  pleases: (answer: T) => boolean,
): Promise<T> {
  for (const deadline = Date.now() + limitMs; ; await sleep(50)) {
    const answer = await ask();
    if (pleases(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${limitMs} ms; last: ${JSON.stringify(answer)}`);
  }
}

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Prints a line that the operator gets to see, whatever a test's outcome. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
