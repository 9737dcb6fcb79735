import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { SandboxEngine, SandboxLanguage, SandboxSettings } from './sandbox-settings.ts';

/** Sources in a checkout, JavaScript in the package: Node removes no types under node_modules. */
const OWN = extname(import.meta.filename);
const SHARED_FILES = ['child-host', 'frames', 'kernel', 'preparations'].map((file) => file + OWN);
const INTERPRETER_FILES = ['interpreter-session', 'interpreter', 'isolate-environment'].map((file) => `python/${file}${OWN}`);
const PYODIDE_FILES = ['pyodide.asm.mjs', 'pyodide.asm.wasm', 'pyodide.mjs', 'pyodide-lock.json', 'python_stdlib.zip'];
/** V8 and the TypeScript parser reserve 6.4 GB and touch 70 MB of it. */
const RESERVED_BYTES = 8 * 2 ** 30;
/** Each memory of WebAssembly reserves what an address may reach, and so needs no check of its bounds. */
const RESERVED_BYTES_OF_PYTHON = 64 * 2 ** 30;

/** The purpose of a child process: `image` makes what interpreters of Python are started from. */
export type ChildRole = SandboxEngine | 'image';

/** Files of ours that a child reads, the one that is run first; the permission model refuses every other one. */
const CHILD_FILES: Readonly<Record<ChildRole, readonly string[]>> = {
  javascript: ['child-main', 'error-text', 'isolate-session', 'program-module'].map((file) => file + OWN),
  python: [`python/python-main${OWN}`, 'python/harness.py', ...INTERPRETER_FILES],
  image: [`python/image-main${OWN}`, 'python/preload.py', ...INTERPRETER_FILES],
};

interface Wrapper {
  readonly name: string;
  readonly tool: string;
  readonly args: readonly string[];
}

/** Tools that run a command with less. None is needed; each that works here makes the wall higher. */
const WRAPPERS: readonly Wrapper[] = [
  // Address space is a backstop, set where the role is known.
  { name: 'limits', tool: 'prlimit', args: ['--core=0', '--nofile=64', '--cpu=1800'] },
  { name: 'no_network', tool: 'unshare', args: ['--net', '--ipc'] },
  { name: 'no_network_as_user', tool: 'unshare', args: ['--map-current-user', '--net', '--ipc'] },
  { name: 'no_new_privileges', tool: 'setpriv', args: ['--no-new-privs'] },
];

const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** How to start a child on this machine. */
export interface ProcessWall {
  readonly walls: readonly string[];
  command(
    role: ChildRole,
    settings: SandboxSettings,
    languages: readonly SandboxLanguage[],
  ): { readonly file: string; readonly args: readonly string[] };
}

/** Tries each tool once, on top of those that worked. */
export async function probeProcessWall(): Promise<ProcessWall> {
  const walls: string[] = [];
  let prefix: string[] = [];
  for (const { name, tool, args } of WRAPPERS) {
    const path = TOOL_FOLDERS.map((folder) => join(folder, tool)).find((file) => existsSync(file));
    if (!path || walls.some((wall) => name.startsWith(wall))) continue;
    const longer = [...prefix, path, ...args];
    if (!(await works([...longer, process.execPath, '--version']))) continue;
    prefix = longer;
    walls.push(name);
  }
  return { walls, command: (role, settings, languages) => childCommand(prefix, role, settings, languages) };
}

/** Resident memory in MB; undefined where the system does not tell, or when the process is gone. */
export function residentMb(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1024 : undefined;
  } catch {
    return undefined;
  }
}

function childCommand(
  prefix: readonly string[],
  role: ChildRole,
  settings: SandboxSettings,
  given: readonly SandboxLanguage[],
): { file: string; args: string[] } {
  const isPython = role !== 'javascript';
  const languages = given.filter(({ engine = 'javascript' }) => engine === role).map(withRealPath);
  const preparations = languages.flatMap(({ preparation }) => preparation ?? []);
  const here = realpathSync(import.meta.dirname);
  const [main = '', ...others] = CHILD_FILES[role];
  const ours = [main, ...others, ...SHARED_FILES].map((file) => join(here, file));
  const binary = nativeBinary();
  const pyodide = isPython ? pyodideFolder() : '';
  const theirs = isPython ? PYODIDE_FILES.map((file) => join(pyodide, file)) : [];
  const node = [
    process.execPath,
    '--no-node-snapshot',
    '--no-warnings',
    '--permission',
    '--allow-addons',
    ...[...ours, binary, ...theirs, ...preparations].map((path) => `--allow-fs-read=${path}`),
    '--max-old-space-size=64',
    ...(isPython ? [] : ['--disable-wasm-trap-handler']), // it would reserve 8 GB for the TypeScript parser
    '--disallow-code-generation-from-strings',
    ours[0]!,
    binary,
    JSON.stringify(settings),
    JSON.stringify(languages),
    pyodide,
  ];
  const [file, ...args] = [...withAddressSpace(prefix, isPython ? RESERVED_BYTES_OF_PYTHON : RESERVED_BYTES), ...node];
  return { file: file!, args };
}

/** Behind `prlimit`, where it is there. */
function withAddressSpace(prefix: readonly string[], bytes: number): string[] {
  return prefix.flatMap((word) => (word.endsWith('/prlimit') ? [word, `--as=${bytes}`] : [word]));
}

/** One that is not there fails in the child, which reports to the author of a program. */
function withRealPath(language: SandboxLanguage): SandboxLanguage {
  const { preparation } = language;
  return preparation !== undefined && existsSync(preparation)
    ? { ...language, preparation: realpathSync(preparation) }
    : language;
}

/** The file that isolated-vm would load. Found, not loaded: the addon has no place in the server's process. */
function nativeBinary(): string {
  const entry = createRequire(import.meta.url).resolve('isolated-vm');
  const finder: { resolve(folder: string): string } = createRequire(entry)('node-gyp-build');
  return realpathSync(finder.resolve(dirname(entry)));
}

/** Where the package of the interpreter lies. */
function pyodideFolder(): string {
  return dirname(realpathSync(createRequire(import.meta.url).resolve('pyodide/pyodide.asm.wasm')));
}

function works([file, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file!, args, { env: {}, timeout: 5_000 }, (error) => resolve(!error));
  });
}
