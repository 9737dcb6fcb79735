import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packSdk } from '../../../plugin-kit/sdk-package.ts';
import { packClient } from '../client-package.ts';
import { packPythonClient } from '../python-package.ts';
import { packServer } from '../server-package.ts';
import { FIRST_PYTHON, FIRST_TYPESCRIPT, PROJECT, SCORERS } from './first-programs.ts';
import { sizeOf, UserFolder } from './user-folder.ts';

export interface TrialStep {
  readonly name: string;
  readonly seconds: number;
}

export interface TrialPackage {
  readonly name: string;
  /** Of the file that is published. */
  readonly packedBytes: number;
  /** Of all that installing it brings; undefined of what is not installed by itself. */
  readonly installedBytes?: number;
}

export interface RunningServer {
  readonly url: string;
  readonly key: string;
  readonly dataDir: string;
}

type Verdict = { status_type?: string; value?: unknown } | undefined;

const PACKAGES = { server: packServer, 'plugin-sdk': packSdk, client: packClient, 'python-client': packPythonClient };
export type PackageName = keyof typeof PACKAGES;

const START_MS = 180_000;
const SCORE_MS = 180_000;
const STOP_MS = 60_000;
const POLL_MS = 50;

/**
 * The way of somebody who has only the packages: installs them into empty folders, starts the server with its own database, sends the first trace by each of the
 * clients and waits for the first scores. Each method is a step; `close` ends the server, whatever happened.
 */
export class PackageTrial {
  readonly steps: TrialStep[] = [];
  readonly packages = new Map<PackageName, { readonly file: string; installed?: string }>();
  readonly server: UserFolder;
  readonly typescript: UserFolder;
  readonly python: UserFolder;
  readonly #folder: string;
  readonly #onStep: (step: TrialStep) => void;
  #child: ChildProcess | undefined;
  #running: RunningServer | undefined;

  /** In a folder that is there and empty. The caller removes it. */
  constructor(folder: string, onStep: (step: TrialStep) => void = () => {}) {
    this.#folder = folder;
    this.#onStep = onStep;
    // As root, the database runs as another user, who has to get through.
    chmodSync(folder, 0o711);
    const make = (name: string): UserFolder => {
      mkdirSync(join(folder, name), { mode: 0o711 });
      return new UserFolder(join(folder, name));
    };
    [this.server, this.typescript, this.python] = [make('server'), make('typescript'), make('python')];
  }

  get running(): RunningServer {
    if (!this.#running) throw new Error('the server was not started');
    return this.#running;
  }

  pack(name: PackageName): Promise<void> {
    return this.#step(`pack the ${name.replace('-', ' ')}`, async () => {
      this.packages.set(name, { file: await PACKAGES[name](join(this.#folder, 'packages', name)) });
    });
  }

  installServer(): Promise<void> {
    return this.#step('install the server, by npm', async () => {
      const packed = this.#find('server');
      await this.server.install(packed.file);
      packed.installed = join(this.server.path, 'node_modules');
    });
  }

  installTypeScript(): Promise<void> {
    return this.#step('install the TypeScript client, by npm', async () => {
      const packed = this.#find('client');
      await this.typescript.install(packed.file);
      packed.installed = join(this.typescript.path, 'node_modules');
    });
  }

  installPython(): Promise<void> {
    return this.#step('install the Python client, by pip, into an environment of its own', async () => {
      const packed = this.#find('python-client');
      await this.python.run('python3', ['-m', 'venv', 'env']);
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', packed.file];
      await this.python.run(join(this.python.path, 'env/bin/python'), pip);
      packed.installed = findPackageFolder(join(this.python.path, 'env/lib'));
    });
  }

  start(): Promise<void> {
    return this.#step('start the server, until it listens', async () => {
      const dataDir = join(this.server.path, 'data');
      const { path: cwd, env } = this.server;
      const child = spawn('npx', ['--no-install', 'touchstone', 'start', '--port', '0', '--data-dir', dataDir], {
        cwd,
        env,
        // With what it starts it is a group of processes, which can be ended as one.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          printed = `${printed}${chunk.toString()}`.slice(-100_000);
        });
      child.on('error', (error) => {
        printed += String(error);
      });
      const url = await until('the server to listen', START_MS, async () => {
        if (child.exitCode !== null || child.pid === undefined) throw new Error(`the server did not start:\n${printed}`);
        return /^listening on (http:\S+)$/m.exec(printed)?.[1];
      });
      const { admin_api_key } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
      this.#running = { url, key: admin_api_key, dataDir };
    });
  }

  /** A project whose traces are scored by a program in each language. */
  enableScorers(): Promise<void> {
    return this.#step('enable a code scorer in each language', async () => {
      const { id: project_id } = await this.call<{ id: string }>('POST', '/v2/projects', { name: PROJECT });
      const streams = `/v2/projects/${project_id}/log_streams`;
      const { id: log_stream_id } = await this.call<{ id: string }>('POST', streams, { name: 'default' });
      const scorers = [];
      for (const { name, file, source } of SCORERS) {
        const scorer = { name, scorer_type: 'code', scoreable_node_types: ['trace'], output_type: 'boolean' };
        const { id } = await this.call<{ id: string }>('POST', '/v2/scorers', scorer);
        const form = new FormData();
        form.set('file', new File([source], file));
        await this.call('POST', `/v2/scorers/${id}/version/code`, form);
        scorers.push({ id });
      }
      await this.call('PATCH', `${streams}/${log_stream_id}/metric_settings`, { scorers });
    });
  }

  traceByTypeScript(): Promise<void> {
    return this.#step('first trace by the TypeScript client, until it is acknowledged', async () => {
      this.typescript.write('first.js', FIRST_TYPESCRIPT);
      await this.typescript.run('node', ['first.js'], this.#credentials());
    });
  }

  traceByPython(): Promise<void> {
    return this.#step('first trace by the Python client, until it is acknowledged', async () => {
      this.python.write('first.py', FIRST_PYTHON);
      await this.python.run(join(this.python.path, 'env/bin/python'), ['first.py'], this.#credentials());
    });
  }

  /** Waits until the traces of these names have a score by each scorer, as `touchstone search` shows them. */
  waitForScores(...traces: readonly string[]): Promise<void> {
    return this.#step('first scores, in each language', async () => {
      const search = ['--no-install', 'touchstone', 'search', '--project', PROJECT, '--json'];
      await until('scores', SCORE_MS, async () => {
        const lines = (await this.server.run('npx', search, this.#credentials())).trim().split('\n');
        const found = lines.filter(Boolean).map((line) => JSON.parse(line));
        const verdicts = traces.flatMap((name) => {
          const trace = found.find((record) => record.name === name);
          return SCORERS.map((scorer): Verdict => trace?.metric_info?.[scorer.name]);
        });
        const bad = verdicts.find(
          (verdict) => !isToCome(verdict) && !(verdict?.status_type === 'success' && verdict.value === true),
        );
        if (bad) throw new Error(`a scorer did not judge as it should: ${JSON.stringify(bad)}`);
        return verdicts.some(isToCome) ? undefined : true;
      });
    });
  }

  stop(): Promise<void> {
    return this.#step('stop the server', () => this.close());
  }

  /** Ends the server and what it started. Harmless where none runs. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('close', resolve));
    process.kill(-child.pid, 'SIGTERM');
    const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(late);
  }

  /** Sizes of what was packed and installed. */
  measure(): TrialPackage[] {
    return [...this.packages].map(([name, { file, installed }]) => ({
      name,
      packedBytes: statSync(file).size,
      ...(installed !== undefined && { installedBytes: sizeOf(installed) }),
    }));
  }

  /** A request to the running server. */
  async call<T>(method: string, path: string, body: FormData | object): Promise<T> {
    const { url, key } = this.running;
    const isForm = body instanceof FormData;
    const headers = { 'service-api-key': key, ...(!isForm && { 'content-type': 'application/json' }) };
    const res = await fetch(url + path, { method, headers, body: isForm ? body : JSON.stringify(body) });
    if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${await res.text()}`);
    return (await res.json()) as T;
  }

  #credentials(): Record<string, string> {
    return { SERVICE_URL: this.running.url, SERVICE_API_KEY: this.running.key };
  }

  #find(name: PackageName): { readonly file: string; installed?: string } {
    const packed = this.packages.get(name);
    if (!packed) throw new Error(`${name} was not packed`);
    return packed;
  }

  async #step(name: string, work: () => Promise<void>): Promise<void> {
    const began = performance.now();
    await work().catch((error: Error) => {
      throw new Error(`${name}: ${error.message}`, { cause: error });
    });
    const step = { name, seconds: (performance.now() - began) / 1000 };
    this.steps.push(step);
    this.#onStep(step);
  }
}

const isToCome = (verdict: Verdict): boolean =>
  verdict?.status_type === undefined || ['pending', 'computing'].includes(verdict.status_type);

/** Where pip put the package and its description, below `lib/python3.x/site-packages`. */
function findPackageFolder(lib: string): string {
  const [version] = readdirSync(lib).filter((name) => name.startsWith('python'));
  return join(lib, version ?? '', 'site-packages/touchstone_client');
}

async function until<T>(what: string, patienceMs: number, look: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + patienceMs; ; ) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited ${patienceMs / 1000} s for ${what}`);
    await sleep(POLL_MS);
  }
}
