import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSandboxLanguage } from '../../config/code-languages.ts';
import type { CodeInput, CodeLanguage, CodeLimits, CodeOutcome, CodeRun, PluginHost } from '../../core/plugin-sdk/index.ts';
import { toHostSandbox } from '../../core/scorers/languages/host-sandbox.ts';
import type { CodeSandbox } from '../../core/scorers/scoring/code-sandbox.ts';
import { closeWaysPast, type WaysPast } from '../ways-past.ts';
import type { CodeLanguageCase } from './language-case.ts';

export const LANGUAGE_LIMITS: CodeLimits = {
  run_ms: 500,
  memory_mb: 64,
  source_bytes: 256 * 1024,
  value_chars: 10_000,
  list_items: 1_000,
  message_chars: 2_000,
};
export const CANARY = 'canary-of-the-kit-51c7';

/** Beside the sources of the service, not in the package that authors install: it needs a native addon. */
const SANDBOX = new URL('../../adapters/sandbox/forked-sandbox.ts', import.meta.url);

export type RunOptions = Partial<Pick<CodeRun, 'signal' | 'stopAfter'>>;

/** Environment of a language under test: the sandbox of the service, a server and a file nobody is to reach. */
export class LanguageStage {
  /** Services of the host that were used. */
  readonly used: string[] = [];
  /** How the process was asked to end. */
  readonly exits: string[] = [];
  /** The requests that reached the server. */
  readonly visits: string[] = [];
  readonly #given: CodeLanguageCase;
  #folder = '';
  #server: Server | undefined;
  #sandbox: Promise<CodeSandbox> | undefined;
  #past: WaysPast | undefined;
  #language: CodeLanguage | undefined;
  readonly #made: CodeLanguage[] = [];
  #exit = process.exit;
  #kill = process.kill;

  constructor(given: CodeLanguageCase) {
    this.#given = given;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}/canary`;
  }

  get path(): string {
    return join(this.#folder, 'canary.txt');
  }

  get past(): readonly string[] {
    return this.#past?.attempts ?? [];
  }

  create(): CodeLanguage {
    const host: PluginHost = {
      fetch: async () => {
        this.used.push('fetch');
        throw new TypeError('no network in the kit');
      },
      clock: () => new Date('2026-01-01T00:00:00Z'),
      log: () => {},
    };
    const made = this.#given.plugin.create(host);
    this.#made.push(made);
    return made;
  }

  check(source: string): ReturnType<CodeLanguage['check']> {
    this.#language ??= this.create();
    return this.#language.check(this.#call(source));
  }

  run(source: string, inputs: readonly CodeInput[], options: RunOptions = {}): Promise<CodeOutcome[]> {
    this.#language ??= this.create();
    return this.#language.run({ ...this.#call(source, options), inputs, stopAfter: () => undefined, ...options });
  }

  #call(source: string, { signal = new AbortController().signal, stopAfter }: RunOptions = {}) {
    const use = { project_id: 'project', scorer_id: 'scorer', signal, ...(stopAfter && { verdictAfter: stopAfter }) };
    const run: CodeSandbox['run'] = async (...asked) => {
      this.used.push('sandbox');
      this.#sandbox ??= openSandbox(this.#given);
      return (await this.#sandbox).run(...asked);
    };
    const { project_id, scorer_id } = use;
    const sandbox = toHostSandbox({ run }, this.#given.plugin.id, use);
    return { source, limits: LANGUAGE_LIMITS, signal, project_id, scorer_id, sandbox };
  }

  async open(): Promise<void> {
    this.#folder = mkdtempSync(join(tmpdir(), 'touchstone-language-'));
    writeFileSync(this.path, CANARY);
    this.#server = createServer((request, response) => {
      this.visits.push(request.url ?? '');
      response.end(CANARY);
    });
    await new Promise<void>((listening) => this.#server!.listen(0, '127.0.0.1', listening));
    process.env.TOUCHSTONE_CANARY = CANARY;
    this.#past = closeWaysPast(this.#given.plugin.id, (this.#server.address() as AddressInfo).port);
    this.#exit = process.exit;
    this.#kill = process.kill;
    process.exit = ((code) => void this.exits.push(`exit ${code}`)) as typeof process.exit;
    process.kill = ((pid, signal) =>
      pid === process.pid ? this.exits.push(`kill ${signal}`) > 0 : this.#kill.call(process, pid, signal)) as typeof process.kill;
  }

  reset(): void {
    for (const list of [this.used, this.exits, this.visits, this.#past?.attempts ?? []]) list.length = 0;
  }

  async close(): Promise<void> {
    [process.exit, process.kill] = [this.#exit, this.#kill];
    delete process.env.TOUCHSTONE_CANARY;
    this.#past?.reopen();
    await Promise.all(this.#made.splice(0).map((made) => made.close?.()));
    this.#language = undefined;
    await (await this.#sandbox?.catch(() => undefined))?.close();
    this.#sandbox = undefined;
    this.#server?.closeAllConnections();
    this.#server?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Part of the module that is used: by its types the package would hold all of it. */
interface SandboxModule {
  readonly DEFAULT_SANDBOX_SETTINGS: object;
  readonly ForkedSandbox: new (deps: object) => CodeSandbox;
}

async function openSandbox({ plugin }: CodeLanguageCase): Promise<CodeSandbox> {
  if (!existsSync(SANDBOX))
    throw new Error('the sandbox is a part of the service: run `npm run plugin:check` there, or in its image');
  const { ForkedSandbox, DEFAULT_SANDBOX_SETTINGS } = (await import(SANDBOX.href)) as SandboxModule;
  const settings = { ...DEFAULT_SANDBOX_SETTINGS, run_ms: LANGUAGE_LIMITS.run_ms };
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  return new ForkedSandbox({ settings, languages: [toSandboxLanguage(plugin)], log: silent });
}
