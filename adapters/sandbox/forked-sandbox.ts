import type { Log } from '../../core/kernel/ports.ts';
import type { CodeSandbox, Outcome, Program, SandboxInput, SandboxUse } from '../../core/scorers/scoring/code-sandbox.ts';
import { ChildPool } from './child-pool.ts';
import { CONTEXT_MARK } from './kernel.ts';
import { ProgramRun } from './program-run.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

export { DEFAULT_SANDBOX_SETTINGS, type SandboxSettings } from './sandbox-settings.ts';

/** Runs programs in child processes. The child is the wall; the isolate inside it keeps calls apart and makes them fast. */
export class ForkedSandbox implements CodeSandbox {
  readonly #settings: SandboxSettings;
  readonly #pool: ChildPool;
  #closed = false;

  /** Starts nothing: the first process comes with the first call. */
  constructor({ settings, log }: { settings: SandboxSettings; log: Log }) {
    this.#settings = settings;
    this.#pool = new ChildPool(settings, log);
  }

  async run(program: Program, inputs: readonly SandboxInput[], use: SandboxUse): Promise<Outcome[]> {
    if (this.#closed) throw new Error('the sandbox is closed');
    const message = refusal(program, this.#settings.max_source_bytes);
    if (message !== undefined) return inputs.map(() => ({ kind: 'refused', message }));
    const outcomes = await new ProgramRun(this.#pool, this.#settings, { program, records: inputs.map(toText), use }).outcomes();
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

/** What can be told from the text alone. NUL and lone surrogates cannot be stored, so they never name or return anything. */
function refusal({ source }: Program, maxBytes: number): string | undefined {
  if (Buffer.byteLength(source) > maxBytes) return `the scorer is longer than ${maxBytes} bytes`;
  if (source.includes('\0')) return 'the scorer holds a NUL character';
  if (!source.isWellFormed()) return 'the scorer holds half of a surrogate pair';
  return undefined;
}
