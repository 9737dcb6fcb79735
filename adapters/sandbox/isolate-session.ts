import type IsolatedVM from 'isolated-vm';
import { errorText } from './error-text.ts';
import { CONTEXT_MARK, type Kernel, type KernelLimits, kernel, MESSAGE_CHARS } from './kernel.ts';
import { compileModule } from './program-module.ts';
import type { Reply, Trouble } from './protocol.ts';
import type { SandboxSettings } from './sandbox-settings.ts';

/** The least time the kernel gets to hand over what it has, even when the program used up its own. */
const COLLECT_MS = 100;

/** One isolate, for one program. What comes out of it is text. */
export class IsolateSession {
  readonly #isolate: IsolatedVM.Isolate;
  readonly #context: IsolatedVM.Context;
  readonly #start: IsolatedVM.Reference<Kernel['start']>;
  readonly #collect: IsolatedVM.Reference<Kernel['collect']>;
  readonly #runMs: number;
  /** Set when the program is a module; of a script the kernel finds the function itself. */
  #exported: IsolatedVM.Reference | undefined;

  /** Made on this thread, at once: no code of an author is inside yet. */
  constructor(ivm: typeof IsolatedVM, settings: SandboxSettings, onCatastrophe: () => void) {
    this.#runMs = settings.run_ms;
    this.#isolate = new ivm.Isolate({ memoryLimit: settings.memory_mb, onCatastrophicError: onCatastrophe });
    this.#context = this.#isolate.createContextSync();
    const code = `'use strict';(${kernel})(${JSON.stringify(limitsFor(settings))})`;
    const opened: IsolatedVM.Reference<Kernel> = this.#context.evalSync(code, { filename: 'kernel.js', reference: true });
    this.#start = opened.getSync('start', { reference: true });
    this.#collect = opened.getSync('collect', { reference: true });
  }

  /** Runs the program's own text; returns undefined when it is ready to score. */
  async load({ source, file }: { source: string; file: string }, startedAt: number): Promise<Reply | undefined> {
    try {
      // By reference: the value of the last expression stays inside, however long it is.
      await this.#context.eval(source, { filename: file, timeout: this.#left(startedAt), reference: true });
      return undefined;
    } catch (error) {
      return this.#trouble('load', startedAt) ?? (await this.#loadAnew(source, file, startedAt, error));
    }
  }

  /** Scores records from the front, as many as fit into one slice of time and text. */
  async score(records: readonly string[], startedAt: number): Promise<Reply | string> {
    let outcomes: unknown;
    try {
      const args = [this.#exported?.derefInto(), ...records] as never;
      outcomes = await this.#start.apply(undefined, args, { timeout: this.#left(startedAt) });
    } catch {
      // A promise that was rejected and never handled ends up here too: that is no trouble, the outcome is inside.
      const trouble = this.#trouble('call', startedAt);
      if (trouble) return trouble;
    }
    if (outcomes === '') return refused('the scorer defines no function named scorer');
    return typeof outcomes === 'string' ? scored(outcomes) : this.#collectOutcomes();
  }

  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  /** Not a script that runs to its end: perhaps a module, else the author's mistake. */
  async #loadAnew(source: string, filename: string, startedAt: number, scriptError: unknown): Promise<Reply | undefined> {
    const isScript = await this.#isolate.compileScript(source, { filename }).then(
      () => true,
      () => false,
    );
    if (isScript) return threw(errorText(scriptError, filename));
    const compiled = await compileModule(this.#isolate, this.#context, source, filename, scriptError);
    if ('mistake' in compiled)
      return this.#trouble('load', startedAt) ?? refused(`the scorer does not compile: ${compiled.mistake}`);
    try {
      this.#exported = await compiled.run(this.#left(startedAt));
    } catch (error) {
      return this.#trouble('load', startedAt) ?? threw(errorText(error, filename));
    }
    return this.#exported ? undefined : refused('the scorer is a module and has no function as its default export');
  }

  async #collectOutcomes(): Promise<Reply | string> {
    const startedAt = performance.now();
    try {
      const outcomes: unknown = await this.#collect.apply(undefined, [], { timeout: COLLECT_MS });
      if (typeof outcomes === 'string' && outcomes !== '') return scored(outcomes);
    } catch {
      const trouble = this.#trouble('call', startedAt, COLLECT_MS);
      if (trouble) return trouble;
    }
    return { kind: 'trouble', trouble: 'broken', at: 'call' };
  }

  #left(startedAt: number): number {
    return Math.max(1, this.#runMs - Math.floor(performance.now() - startedAt));
  }

  /** Told from facts. The words of an error prove nothing: an author can throw an error with any message. */
  #trouble(at: Trouble['at'], startedAt: number, allowed_ms = this.#runMs): Trouble | undefined {
    if (this.#isolate.isDisposed) return { kind: 'trouble', trouble: 'out_of_memory', at };
    if (performance.now() - startedAt >= 0.95 * allowed_ms) return { kind: 'trouble', trouble: 'timed_out', at };
    return undefined;
  }
}

function limitsFor({ run_ms }: SandboxSettings): KernelLimits {
  return {
    message_chars: MESSAGE_CHARS,
    value_chars: 10_000,
    array_items: 1_000,
    slice_ms: run_ms / 5,
    slice_chars: 200_000,
    context_mark: CONTEXT_MARK,
  };
}

const scored = (outcomes: string): string => `{"kind":"scored","outcomes":[${outcomes}]}`;
const refused = (message: string): Reply => ({ kind: 'program', outcome: { kind: 'refused', message }, worn: false });
const threw = (message: string): Reply => ({ kind: 'program', outcome: { kind: 'threw', message }, worn: false });
