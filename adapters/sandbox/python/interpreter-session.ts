import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type IsolatedVM from 'isolated-vm';
import { MESSAGE_CHARS } from '../kernel.ts';
import type { Reply, Trouble } from '../protocol.ts';
import type { SandboxSettings } from '../sandbox-settings.ts';
import { openInterpreter } from './interpreter.ts';
import { installEnvironment } from './isolate-environment.ts';

/** Of the isolate, beside the memory of the interpreter, which has a limit of its own. */
const HEAP_MB = 192;
/** Memory of the interpreter before any program is there. */
const BASE_MB = 30;
const MAX_REPLY_BYTES = 3 * 2 ** 20;

export interface SessionGiven {
  readonly ivm: typeof IsolatedVM;
  readonly settings: SandboxSettings;
  /** Of the package. */
  readonly folder: string;
  readonly image?: Uint8Array;
  onCatastrophe(): void;
}

type Interpreted = { readonly source: string; readonly file: string };

/** The interpreter in an isolate that has nothing of Node. What comes out of it is text. */
export class InterpreterSession {
  readonly #context: IsolatedVM.Context;
  readonly #isolate: IsolatedVM.Isolate;
  readonly #ivm: typeof IsolatedVM;
  readonly #settings: SandboxSettings;

  private constructor(
    ivm: typeof IsolatedVM,
    isolate: IsolatedVM.Isolate,
    context: IsolatedVM.Context,
    settings: SandboxSettings,
  ) {
    this.#ivm = ivm;
    this.#isolate = isolate;
    this.#context = context;
    this.#settings = settings;
  }

  static async start({ ivm, settings, folder, image, onCatastrophe }: SessionGiven): Promise<InterpreterSession> {
    const isolate = new ivm.Isolate({ memoryLimit: HEAP_MB, onCatastrophicError: onCatastrophe });
    const context = await isolate.createContext();
    const files = {
      wasm: toBuffer(readFileSync(join(folder, 'pyodide.asm.wasm'))),
      stdlib: toBuffer(readFileSync(join(folder, 'python_stdlib.zip'))),
      lock: readFileSync(join(folder, 'pyodide-lock.json'), 'utf8'),
    };
    const maxBytes = (BASE_MB + settings.memory_mb) * 2 ** 20;
    const copied = { arguments: { copy: true } } as const;
    await context.evalClosure(`globalThis.handle = (${installEnvironment})($0, $1)`, [files, maxBytes], copied);
    await context.global.set('createPyodideModule', await load(isolate, context, join(folder, 'pyodide.asm.mjs'), 'default'));
    await context.global.set('loadPyodide', await load(isolate, context, join(folder, 'pyodide.mjs'), 'loadPyodide'));
    await context.eval(`globalThis.interpreter = (${openInterpreter})(handle, loadPyodide, createPyodideModule); undefined`);
    await context.evalClosure('return interpreter.start($0)', [image && toBuffer(image)], {
      ...copied,
      result: { promise: true },
    });
    return new InterpreterSession(ivm, isolate, context, settings);
  }

  makeImage(): Promise<ArrayBuffer> {
    const code = readFileSync(join(import.meta.dirname, 'preload.py'), 'utf8');
    return this.#context.evalClosure('return interpreter.makeImage($0)', [code], { result: { copy: true } });
  }

  /** From here on programs may come. One is run before, so that what the first one would wait for is there. */
  async seal(): Promise<void> {
    const harness = readFileSync(join(import.meta.dirname, 'harness.py'), 'utf8');
    await this.#context.evalClosure('interpreter.seal($0, $1)', [harness, JSON.stringify(limitsFor(this.#settings))]);
    await this.#call(
      'load',
      Buffer.from('scorer.py\ndef scorer(record, **context):\n    return [len(record), 0.5, "x"]'),
      START_MS,
    );
    await this.#call('score', Buffer.from('{"output":"x"}'), START_MS);
    this.reset();
  }

  /** Runs the program's own text; undefined when it is ready to score. */
  async load({ source, file }: Interpreted, startedAt: number): Promise<Reply | undefined> {
    const text = await this.#ask('load', Buffer.from(`${file}\n${source}`), 'load', startedAt);
    if (typeof text !== 'string') return text;
    return text === '' ? undefined : { kind: 'program', outcome: JSON.parse(text), worn: false };
  }

  /** Scores records from the front, as many as fit into one slice of time and text. */
  async score(records: Uint8Array, startedAt: number): Promise<Reply | string> {
    const text = await this.#ask('score', records, 'call', startedAt);
    return typeof text === 'string' ? `{"kind":"scored","outcomes":[${text}]}` : text;
  }

  /** Puts all memory of the interpreter back as it was before the first program. */
  reset(): void {
    this.#context.evalSync('interpreter.reset()');
  }

  async #ask(name: 'load' | 'score', text: Uint8Array, at: Trouble['at'], startedAt: number): Promise<string | Trouble> {
    const { run_ms } = this.#settings;
    try {
      const given = await this.#call(name, text, Math.max(1, run_ms - Math.floor(performance.now() - startedAt)));
      if (given !== undefined && given.byteLength <= MAX_REPLY_BYTES && !(await this.#wasRefusedMemory())) {
        return Buffer.from(given).toString();
      }
    } catch {
      // Told from facts below. The words of an error prove nothing.
    }
    if (this.#isolate.isDisposed) return trouble('out_of_memory', at);
    if (performance.now() - startedAt >= 0.95 * run_ms) return trouble('timed_out', at);
    return trouble((await this.#wasRefusedMemory()) ? 'out_of_memory' : 'broken', at);
  }

  #call(name: 'load' | 'score', text: Uint8Array, timeout: number): Promise<ArrayBuffer | undefined> {
    const bytes = new this.#ivm.ExternalCopy(toBuffer(text), { transferOut: true });
    return this.#context.evalClosure(
      'return interpreter.call($0, $1)',
      [name, bytes.copyInto({ release: true, transferIn: true })],
      {
        result: { copy: true },
        timeout,
      },
    );
  }

  #wasRefusedMemory(): Promise<boolean> {
    return this.#context.eval('interpreter.wasRefusedMemory()').catch(() => false);
  }
}

const START_MS = 60_000;

const trouble = (kind: Trouble['trouble'], at: Trouble['at']): Trouble => ({ kind: 'trouble', trouble: kind, at });

/** Bounds of the texts that the harness gives, and of its time for one call. */
const limitsFor = ({ run_ms }: SandboxSettings) => ({
  message_chars: MESSAGE_CHARS,
  value_chars: 10_000,
  array_items: 1_000,
  slice_ms: run_ms / 5,
  slice_chars: 200_000,
  printed_chars: 2_000,
  explanation_chars: 2_000,
  recursion: 1_000,
});

/** A module of the package. What it would import and where it lies is nothing to an isolate. */
async function load(isolate: IsolatedVM.Isolate, context: IsolatedVM.Context, path: string, name: string): Promise<unknown> {
  const source = readFileSync(path, 'utf8')
    .replaceAll(/\bimport\(/g, 'refuseImport(')
    .replaceAll('import.meta.url', '"file:///python/pyodide.mjs"');
  const refusal = 'const refuseImport = () => { throw new Error("nothing is imported"); };';
  const module = await isolate.compileModule(refusal + source, { filename: 'pyodide.mjs' });
  await module.instantiate(context, () => Promise.reject(new Error('nothing is imported')));
  await module.evaluate();
  const exported: IsolatedVM.Reference = await module.namespace.get(name, { reference: true });
  return exported.derefInto();
}

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
