interface Instance {
  readonly exports: Record<string, unknown>;
}
/** The part of it that is used; no library of types here knows it. */
declare const WebAssembly: {
  readonly Module: {
    new (code: ArrayBuffer): object;
    imports(module: object): { readonly module: string; readonly name: string; readonly kind: string }[];
  };
  readonly Instance: new (module: object, imports: object) => Instance;
  readonly Global: new () => { value: unknown };
};

/** Files of the interpreter as the isolate gets them. */
export interface InterpreterFiles {
  wasm: ArrayBuffer;
  readonly stdlib: ArrayBuffer;
  readonly lock: string;
}

export interface IsolateHandle {
  /** Set while no code of an author may run: the interpreter starts, or is made ready. */
  open: boolean;
  /** Whether the interpreter asked for more memory than it may have since this was last set to false. */
  refusedMemory: boolean;
  exports: Record<string, (...args: number[]) => number> & { readonly memory: { readonly buffer: ArrayBuffer } };
  /** Of globals of the interpreter that change, such as the place of its stack. */
  globals: { value: unknown }[];
}

/**
 * Prepares a bare isolate for the interpreter. Its source text is compiled there. An interpreter that is sealed calls nothing
 * outside of its own memory but clocks, chance, and the reading of its standard library: every other function that it imports ends the
 * call, whatever road led there. What would change a file or open a connection fails as on a machine without them.
 */
export function installEnvironment(files: InterpreterFiles, maxMemoryBytes: number): IsolateHandle {
  type Import = (...args: number[]) => unknown;
  const realm = globalThis as unknown as Record<string, unknown>;
  const handle = { open: true, refusedMemory: false, globals: [] } as unknown as IsolateHandle;

  /** In the numbers of WASI. */
  const [ENOSYS, EPERM, EROFS, ENOTTY] = [-52, -63, -69, -59];
  const WRITING = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;
  const HARMLESS = new Set([
    ...[
      '_PyEM_TrampolineCall_JS',
      '_Py_CheckEmscriptenSignals_Helper',
      '_Py_emscripten_runtime',
      'environ_sizes_get',
      'environ_get',
    ],
    ...['__syscall_fcntl64', 'fd_close', 'fd_read', 'fd_seek', 'fd_pread', 'fd_fdstat_get', '_tzset_js', '__syscall_faccessat'],
    ...[
      'clock_res_get',
      'clock_time_get',
      'emscripten_date_now',
      'emscripten_get_now',
      '_timegm_js',
      '_mktime_js',
      '_localtime_js',
    ],
    ...['_gmtime_js', '__syscall_fstat64', '__syscall_stat64', '__syscall_newfstatat', '__syscall_lstat64', '__syscall_getcwd'],
    ...['__syscall_getdents64', '__syscall_readlinkat', '__syscall_getuid32_js', '__syscall_umask_js', 'random_get'],
    ...['emscripten_get_heap_max', '__syscall_statfs64', '__syscall_fstatfs64', '__syscall_fadvise64', '_try_fcntl64'],
  ]);
  const failing: Record<string, number> = {
    __syscall_ioctl: ENOTTY,
    _setitimer_js: 0,
    _munmap_js: 0,
    _msync_js: 0,
    getprotobyname: 0,
  };
  for (const name of [
    'mkdirat',
    'unlinkat',
    'rmdir',
    'renameat',
    'symlinkat',
    'mknodat',
    'chmod',
    'fchmod',
    'fchmodat2',
    'fchownat',
  ])
    failing[`__syscall_${name}`] = EROFS;
  for (const name of ['fchown32', 'ftruncate64', 'truncate64', 'fallocate', 'utimensat', 'fdatasync'])
    failing[`__syscall_${name}`] = EROFS;
  for (const name of [
    'socket',
    'bind',
    'connect',
    'listen',
    'accept4',
    'sendto',
    'recvfrom',
    'sendmsg',
    'recvmsg',
    'getpeername',
  ])
    failing[`__syscall_${name}`] = EPERM;
  for (const name of ['getsockname', 'getsockopt', 'pipe', 'dup', 'dup3', 'poll', 'chdir', 'fchdir'])
    failing[`__syscall_${name}`] = EPERM;
  for (const name of ['getaddrinfo', 'getnameinfo']) failing[name] = -4;
  Object.assign(failing, { _emscripten_system: ENOSYS, _mmap_js: ENOSYS, fd_pwrite: -EROFS, fd_sync: 0 });

  const sealed = (name: string, real: Import): Import => {
    const fails = failing[name];
    if (fails !== undefined) return (...args) => (handle.open ? real(...args) : fails);
    if (name === '__syscall_openat') return (...args) => (handle.open || (args[2]! & WRITING) === 0 ? real(...args) : EROFS);
    if (name === 'emscripten_resize_heap') return (bytes) => resize(bytes!, real);
    if (name === 'fd_write') return (...args) => (handle.open ? real(...args) : swallow(args));
    if (HARMLESS.has(name)) return real;
    return (...args) => {
      if (handle.open) return real(...args);
      throw new Error(`the interpreter is sealed: ${name}`);
    };
  };
  const resize = (bytes: number, real: Import): unknown => {
    if (bytes >>> 0 <= maxMemoryBytes) return real(bytes);
    handle.refusedMemory = true;
    return 0;
  };
  /** Takes what is written to a file descriptor, and keeps nothing. */
  const swallow = ([, vectors = 0, count = 0, written = 0]: number[]): number => {
    const words = new Uint32Array(handle.exports.memory.buffer);
    let bytes = 0;
    for (let index = 0; index < count; index += 1) bytes += words[(vectors >>> 2) + 2 * index + 1]!;
    words[written >>> 2] = bytes;
    return 0;
  };

  const { Module, Instance, Global } = WebAssembly;
  type Imports = Record<string, Record<string, unknown>>;
  const wrap = (imports: Imports): Imports => {
    // The imports are a proxy of the interpreter's loader, which makes missing ones: asked for by name, one by one.
    const wrapped: Imports = {};
    for (const { module, name, kind } of Module.imports(compiled)) {
      const real = imports[module]![name];
      wrapped[module] ??= {};
      // Functions of the interpreter itself come round as imports too, and need no wall; those are no functions of JavaScript.
      wrapped[module][name] = kind === 'function' && typeof real === 'function' ? sealed(name, real as Import) : real;
    }
    return wrapped;
  };
  const compiled = new Module(files.wasm);
  // The loader hands this on in its place: ten megabytes that nobody reads again.
  files.wasm = new ArrayBuffer(0);
  const instantiate = (code: unknown, imports: Imports) => {
    const isInterpreter = (code as ArrayBuffer).byteLength === 0;
    const module = isInterpreter ? compiled : code instanceof Module ? code : new Module(code as ArrayBuffer);
    const instance = new Instance(module, isInterpreter ? wrap(imports) : imports);
    if (isInterpreter) {
      handle.exports = instance.exports as never;
      for (const one of Object.values(instance.exports)) if (one instanceof Global && isMutable(one)) handle.globals.push(one);
    }
    return code instanceof Module ? instance : { module, instance };
  };
  const isMutable = (global: { value: unknown }): boolean => {
    try {
      const { value } = global;
      global.value = value;
      return true;
    } catch {
      return false;
    }
  };

  /** Chance of V8, which is nothing to make secrets from; programs here have none. */
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const randomText = (bytes: number): string => {
    let text = '';
    for (let group = 0; group < Math.floor(bytes / 3); group += 1)
      for (let at = 0; at < 4; at += 1) text += base64[Math.floor(Math.random() * 64)];
    const rest = bytes % 3;
    if (rest > 0)
      text +=
        base64[Math.floor(Math.random() * 64)] + (rest === 1 ? 'A==' : `${base64[Math.floor(Math.random() * 64)]}A=`).slice(-3);
    return rest === 1 ? `${text.slice(0, -3)}A==` : text;
  };

  const decodeUtf8 = (bytes: Uint8Array): string => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 4_096) text += String.fromCharCode(...bytes.subarray(at, at + 4_096));
    try {
      return decodeURIComponent(escape(text));
    } catch {
      return text;
    }
  };
  const toBytes = (given?: ArrayBuffer | ArrayBufferView): Uint8Array => {
    if (given === undefined) return new Uint8Array();
    return ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given);
  };

  Object.assign(realm, {
    console: { log: () => {}, warn: () => {}, error: () => {}, debug: () => {}, info: () => {} },
    read: (path: string) => {
      if (path.endsWith('-lock.json')) return files.lock;
      throw new Error('no such file');
    },
    readbuffer: (path: string) => {
      if (path.endsWith('.wasm')) return files.wasm;
      if (path.endsWith('.zip')) return files.stdlib;
      throw new Error('no such file');
    },
    load: () => {
      throw new Error('no such file');
    },
    os: { system: (_tool: string, [, command]: string[]) => randomText(Number(/-c(\d+)/.exec(command!)![1])) },
    setTimeout: (work: () => void) => {
      void Promise.resolve().then(work);
      return 1;
    },
    clearTimeout: () => {},
    performance: { now: () => Date.now() },
    URL: class {
      readonly href: string;
      constructor(href: string) {
        this.href = href;
      }
    },
    TextEncoder: class {
      encode(text: string): Uint8Array {
        return Uint8Array.from(unescape(encodeURIComponent(text.toWellFormed())), (one) => one.charCodeAt(0));
      }
      encodeInto(text: string, place: Uint8Array): { read: number; written: number } {
        const bytes = this.encode(text).subarray(0, place.length);
        place.set(bytes);
        return { read: text.length, written: bytes.length };
      }
    },
    TextDecoder: class {
      readonly encoding: string;
      constructor(encoding = 'utf-8') {
        this.encoding = encoding;
      }
      decode(given?: ArrayBuffer | ArrayBufferView): string {
        const bytes = toBytes(given);
        if (!this.encoding.startsWith('utf-16')) return decodeUtf8(bytes);
        let text = '';
        for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8));
        return text;
      }
    },
  });
  // At once: the isolate has no thread that compiles behind it.
  Object.assign(WebAssembly, {
    instantiate: async (code: unknown, imports: Imports) => instantiate(code, imports),
    compile: async (code: ArrayBuffer) => new Module(code),
  });
  return handle;
}
