import type IsolatedVM from 'isolated-vm';
import type { Program } from '../../core/scorers/code-sandbox.ts';
import { type Kernel, type KernelLimits, kernel } from './kernel.ts';
import type { ChildSettings, Reply, Trouble } from './protocol.ts';

type Ivm = typeof IsolatedVM;
type ProgramReply = Extract<Reply, { kind: 'program' }>;

export const MESSAGE_CHARS = 2_000;
/** The least time the kernel gets to hand over what it has, even when the program used up its own. */
const COLLECT_MS = 100;

/** How isolated-vm words it. */
const NOT_AN_ERROR = 'An object was thrown from supplied code within isolated-vm';

/** One isolate with one program loaded. What comes out of it is text. */
export class IsolateSession {
  readonly #isolate: IsolatedVM.Isolate;
  readonly #runMs: number;
  #scorer: IsolatedVM.Reference | undefined;
  #start: IsolatedVM.Reference<Kernel['start']> | undefined;
  #collect: IsolatedVM.Reference<Kernel['collect']> | undefined;

  constructor(ivm: Ivm, settings: ChildSettings, onCatastrophe: () => void) {
    this.#isolate = new ivm.Isolate({ memoryLimit: settings.memory_mb, onCatastrophicError: onCatastrophe });
    this.#runMs = settings.run_ms;
  }

  /** Loads the program; answers undefined when it is ready to score. */
  async load(program: Program, source: string, startedAt: number): Promise<Reply | undefined> {
    const context = await this.#isolate.createContext();
    await this.#openKernel(context);
    const file = program.language === 'typescript' ? 'scorer.ts' : 'scorer.js';
    let compiled: Compiled;
    try {
      compiled = await compile(this.#isolate, context, source, file);
    } catch (error) {
      return this.#trouble('load', startedAt) ?? refused(`the scorer does not compile: ${errorText(error, file)}`);
    }
    try {
      this.#scorer = await compiled.run(Math.max(1, this.#left(startedAt)));
    } catch (error) {
      return this.#trouble('load', startedAt) ?? threwAtLoad(errorText(error, file));
    }
    return this.#scorer ? undefined : refused(compiled.missing);
  }

  /** Scores records from the front, as many as fit into one slice of time and text. */
  async score(records: readonly string[], startedAt: number): Promise<string | Trouble> {
    const scorer = this.#scorer!.derefInto();
    const timeout = Math.max(1, this.#left(startedAt));
    try {
      await this.#start!.apply(undefined, [scorer, ...records] as never, { timeout, result: { copy: true } });
    } catch {
      // A promise that was rejected and never handled ends up here too: that is no trouble, the outcome is inside.
      const trouble = this.#trouble('call', startedAt);
      if (trouble) return trouble;
    }
    const collectAt = performance.now();
    try {
      const outcomes: unknown = await this.#collect!.apply(undefined, [], { timeout: COLLECT_MS });
      if (typeof outcomes === 'string' && outcomes !== '') return `{"kind":"scored","outcomes":[${outcomes}]}`;
    } catch {
      if (this.#isolate.isDisposed) return { kind: 'trouble', trouble: 'out_of_memory', at: 'call' };
      if (performance.now() - collectAt >= 0.95 * COLLECT_MS) return { kind: 'trouble', trouble: 'timed_out', at: 'call' };
    }
    return { kind: 'trouble', trouble: 'broken', at: 'call' };
  }

  dispose(): void {
    if (!this.#isolate.isDisposed) this.#isolate.dispose();
  }

  async #openKernel(context: IsolatedVM.Context): Promise<void> {
    const limits: KernelLimits = {
      message_chars: MESSAGE_CHARS,
      value_chars: 10_000,
      array_items: 1_000,
      slice_ms: this.#runMs / 5,
      slice_chars: 200_000,
    };
    const code = `'use strict';(${kernel})(${JSON.stringify(limits)})`;
    const opened: IsolatedVM.Reference<Kernel> = await context.eval(code, { filename: 'kernel.js', reference: true });
    this.#start = await opened.get('start', { reference: true });
    this.#collect = await opened.get('collect', { reference: true });
  }

  #left(startedAt: number): number {
    return this.#runMs - Math.floor(performance.now() - startedAt);
  }

  /** Told from facts. The words of an error prove nothing: the author can throw an error with any message. */
  #trouble(at: Trouble['at'], startedAt: number): Trouble | undefined {
    if (this.#isolate.isDisposed) return { kind: 'trouble', trouble: 'out_of_memory', at };
    if (performance.now() - startedAt >= 0.95 * this.#runMs) return { kind: 'trouble', trouble: 'timed_out', at };
    return undefined;
  }
}

interface Compiled {
  /** What to tell the author when the program ran and there is no scorer. */
  readonly missing: string;
  run(timeout: number): Promise<IsolatedVM.Reference | undefined>;
}

/** As a classic script if it is one, else as a module. Of two syntax errors the one further down is the author's. */
async function compile(
  isolate: IsolatedVM.Isolate,
  context: IsolatedVM.Context,
  source: string,
  filename: string,
): Promise<Compiled> {
  let scriptError: unknown;
  try {
    const script = await isolate.compileScript(source, { filename });
    return scriptProgram(script, context);
  } catch (error) {
    scriptError = error;
  }
  let module: IsolatedVM.Module;
  try {
    module = await isolate.compileModule(source, { filename });
  } catch (moduleError) {
    throw lineOf(moduleError, filename) >= lineOf(scriptError, filename) ? moduleError : scriptError;
  }
  if (module.dependencySpecifiers.length > 0) throw new Error('a scorer cannot import anything');
  await module.instantiate(context, () => Promise.reject(new Error('a scorer cannot import anything')));
  return moduleProgram(module);
}

/** `const` and `class` at the top of a script are no properties of the global object; another script sees them. */
function scriptProgram(script: IsolatedVM.Script, context: IsolatedVM.Context): Compiled {
  return {
    missing: 'the scorer defines no function named scorer',
    async run(timeout) {
      await script.run(context, { timeout });
      const found: IsolatedVM.Reference = await context.eval("typeof scorer === 'function' ? scorer : undefined", {
        timeout,
        reference: true,
        filename: 'lookup.js',
      });
      return found.typeof === 'function' ? found : undefined;
    },
  };
}

function moduleProgram(module: IsolatedVM.Module): Compiled {
  return {
    missing: 'the scorer is a module and has no function as its default export',
    async run(timeout) {
      await module.evaluate({ timeout });
      return (await exported(module, 'default')) ?? (await exported(module, 'scorer'));
    },
  };
}

/** Undefined also for an export that has no value yet, because the module awaits something that never comes. */
async function exported(module: IsolatedVM.Module, name: string): Promise<IsolatedVM.Reference | undefined> {
  const found: IsolatedVM.Reference | undefined = await module.namespace.get(name, { reference: true }).catch(() => undefined);
  return found?.typeof === 'function' ? found : undefined;
}

/** The author's view of an error that isolated-vm copied out: its stack also names files of ours, so only the place is kept. */
function errorText(error: unknown, file: string): string {
  if (!(error instanceof Error))
    return `the scorer threw ${error === null ? 'null' : `a value of type ${typeof error}`} while it was loaded`;
  if (error.message.startsWith(NOT_AN_ERROR)) return 'the scorer threw an object that is not an Error while it was loaded';
  const message = error.message.replace(/ ?\[(?:scorer\.[jt]s|<isolated-vm>|lookup\.js):\d+:\d+\]$/, '');
  const { line, column } = placeOf(error, file);
  const place = line > 0 ? ` (${file}:${line}${column > 0 ? `:${column}` : ''})` : '';
  return `${error.name}: ${message}`.slice(0, MESSAGE_CHARS - 200).toWellFormed() + place;
}

function placeOf(error: Error, file: string): { line: number; column: number } {
  const text = `${error.message.slice(-100)}\n${(error.stack ?? '').slice(0, 20_000)}`;
  const found = new RegExp(`${file.replace('.', '\\.')}:(\\d+)(?::(\\d+))?`).exec(text);
  return { line: Number(found?.[1] ?? 0), column: Number(found?.[2] ?? 0) };
}

function lineOf(error: unknown, file: string): number {
  return error instanceof Error ? placeOf(error, file).line : 0;
}

const refused = (message: string): ProgramReply => ({ kind: 'program', outcome: { kind: 'refused', message }, worn: false });
const threwAtLoad = (message: string): ProgramReply => ({ kind: 'program', outcome: { kind: 'threw', message }, worn: false });
