import type { IsolateHandle } from './isolate-environment.ts';

/** The part of Pyodide that is used. */
export interface Pyodide {
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
  readonly FS: { streams: unknown[] };
}

/** Loads Pyodide within the isolate. */
export type LoadPyodide = (options: Record<string, unknown>) => Promise<Pyodide>;

export interface Interpreter {
  /** Starts the interpreter: from an image, where there is one. */
  start(image: ArrayBuffer | undefined): Promise<void>;
  /** Runs the code, and gives the memory from which other interpreters may be started. */
  makeImage(code: string): ArrayBuffer;
  /** Runs the harness, takes away what leads out, and keeps the state as the one that `reset` puts back. */
  seal(harness: string, limits: string): void;
  /** Calls this function of the harness; undefined when it did not return. */
  call(name: 'load' | 'score', text: ArrayBuffer): ArrayBuffer | undefined;
  /** Whether the program asked for more memory than it may have. */
  wasRefusedMemory(): boolean;
  /** Puts all memory back as it was when it was sealed. */
  reset(): void;
}

/** Drives the interpreter. Its source text is compiled in the isolate. */
export function openInterpreter(handle: IsolateHandle, loadPyodide: LoadPyodide, createPyodideModule: unknown): Interpreter {
  let pyodide: Pyodide;
  let kept: { readonly at: number; readonly bytes: Uint8Array }[];
  let globals: unknown[];
  let streams: unknown[];
  let functions: Record<string, number>;
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(handle.exports.memory.buffer);

  /** Half of the memory was never written to: only the pages between are copied, and the others are filled with zeros. */
  const keep = (memory: Uint8Array<ArrayBuffer>): typeof kept => {
    const pageBytes = 4_096;
    const words = new BigUint64Array(memory.buffer);
    const isEmpty = (page: number): boolean => {
      const end = ((page + 1) * pageBytes) / 8;
      for (let at = (page * pageBytes) / 8; at < end; at += 1) if (words[at] !== 0n) return false;
      return true;
    };
    const parts: typeof kept = [];
    const pages = memory.length / pageBytes;
    for (let page = 0; page < pages; page += 1) {
      const first = page;
      while (page < pages && !isEmpty(page)) page += 1;
      if (page > first) parts.push({ at: first * pageBytes, bytes: memory.slice(first * pageBytes, page * pageBytes) });
    }
    return parts;
  };

  const put = (text: Uint8Array): number => {
    const { malloc, free, PyUnicode_DecodeUTF8: decode } = handle.exports;
    const at = malloc!(text.length + 1);
    if (at === 0) return 0;
    bytes().set(text, at);
    const made = decode!(at, text.length, 0);
    free!(at);
    return made;
  };
  const putName = (name: string): number => {
    const at = handle.exports.malloc!(name.length + 1);
    bytes().set(
      [...name, '\0'].map((one) => one.charCodeAt(0)),
      at,
    );
    return at;
  };
  const take = (made: number): ArrayBuffer | undefined => {
    const { malloc, PyUnicode_AsUTF8AndSize: encode } = handle.exports;
    const size = malloc!(4);
    const at = size === 0 ? 0 : encode!(made, size);
    if (at === 0) return undefined;
    const { buffer } = bytes();
    const length = new Uint32Array(buffer)[size >>> 2]!;
    return buffer.slice(at, at + length);
  };

  return {
    async start(image) {
      const how = image === undefined ? { _makeSnapshot: true } : { _loadSnapshot: image };
      pyodide = await loadPyodide({ indexURL: '/python/', createPyodideModule, jsglobals: {}, ...how });
    },
    makeImage(code) {
      pyodide.runPython(code);
      const made = pyodide.makeMemorySnapshot();
      return made.buffer.slice(made.byteOffset, made.byteOffset + made.byteLength);
    },
    seal(harness, limits) {
      pyodide.runPython(
        `import sys, types\n_m = types.ModuleType('harness'); sys.modules['harness'] = _m\nexec(compile(${JSON.stringify(harness)}, 'harness', 'exec'), _m.__dict__)\n_m.seal(${JSON.stringify(limits)})\ndel _m`,
      );
      const { PyImport_AddModule: find, PyObject_GetAttrString: get } = handle.exports;
      const module = find!(putName('harness'));
      functions = { load: get!(module, putName('load')), score: get!(module, putName('score')) };
      // Once before the memory is kept: what is made at the first call is there from then on.
      streams = pyodide.FS.streams.slice();
      globals = handle.globals.map(({ value }) => value);
      kept = keep(bytes());
      handle.open = false;
    },
    call(name, text) {
      handle.refusedMemory = false;
      const made = put(new Uint8Array(text));
      const result = made === 0 ? 0 : handle.exports.PyObject_CallOneArg!(functions[name]!, made);
      return result === 0 ? undefined : take(result);
    },
    wasRefusedMemory: () => handle.refusedMemory,
    reset() {
      const now = bytes();
      let filled = 0;
      for (const part of kept) {
        now.fill(0, filled, part.at);
        now.set(part.bytes, part.at);
        filled = part.at + part.bytes.length;
      }
      now.fill(0, filled);
      for (const [index, value] of globals.entries()) handle.globals[index]!.value = value;
      pyodide.FS.streams.length = 0;
      for (const one of streams) pyodide.FS.streams.push(one);
    },
  };
}
