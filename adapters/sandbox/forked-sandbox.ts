import type { Log } from '../../core/kernel/ports.ts';
import { sourceFlaw } from '../../core/scorers/languages/code-sources.ts';
import type { CodeSandbox, Outcome, Program, SandboxInput, SandboxUse } from '../../core/scorers/scoring/code-sandbox.ts';
import { ChildPool } from './child-pool.ts';
import { CONTEXT_MARK } from './kernel.ts';
import { ProgramRun } from './program-run.ts';
import type { SandboxEngine, SandboxLanguage, SandboxSettings } from './sandbox-settings.ts';

export { DEFAULT_SANDBOX_SETTINGS, type SandboxLanguage, type SandboxSettings } from './sandbox-settings.ts';

export interface ForkedSandboxDeps {
  readonly settings: SandboxSettings;
  /** Programs of others are refused. */
  readonly languages: readonly SandboxLanguage[];
  readonly log: Log;
}

/** Runs programs in child processes. The child is the wall; the isolate inside it keeps calls apart and makes them fast. */
export class ForkedSandbox implements CodeSandbox {
  readonly #settings: SandboxSettings;
  readonly #pool: ChildPool;
  readonly #engines: ReadonlyMap<string, SandboxEngine>;
  #closed = false;

  /** Starts nothing: the first process comes with the first call. */
  constructor({ settings, languages, log }: ForkedSandboxDeps) {
    this.#settings = settings;
    this.#pool = new ChildPool(settings, languages, log);
    this.#engines = new Map(languages.map(({ id, engine = 'javascript' }) => [id, engine]));
  }

  async run(program: Program, inputs: readonly SandboxInput[], use: SandboxUse): Promise<Outcome[]> {
    if (this.#closed) throw new Error('the sandbox is closed');
    const message = sourceFlaw(program.source, this.#settings.max_source_bytes);
    if (message !== undefined) return inputs.map(() => ({ kind: 'refused', message }));
    const engine = this.#engines.get(program.language) ?? 'javascript';
    const records = inputs.map(toText);
    const outcomes = await new ProgramRun(this.#pool, this.#settings, { program, records, use, engine }).outcomes();
    use.signal?.throwIfAborted();
    if (this.#closed) throw new Error('the sandbox was closed during the run');
    return outcomes;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#pool.close();
  }
}

/** One text for both: no JSON text holds the sign between them. */
const toText = (input: SandboxInput): string =>
  typeof input === 'string' ? input : `${input.record}${CONTEXT_MARK}${input.context}`;
