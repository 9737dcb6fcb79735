import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SandboxLanguage, SandboxSettings } from './sandbox-settings.ts';

/** Files of ours that the child reads; the permission model refuses every other one. */
const CHILD_FILES = [
  'child-main.ts',
  'error-text.ts',
  'frames.ts',
  'isolate-session.ts',
  'kernel.ts',
  'preparations.ts',
  'program-module.ts',
];

interface Wrapper {
  readonly name: string;
  readonly tool: string;
  readonly args: readonly string[];
}

/** Tools that run a command with less. None is needed; each that works here makes the wall higher. */
const WRAPPERS: readonly Wrapper[] = [
  // Address space is a backstop: V8 and the TypeScript parser reserve 6.4 GB and touch 70 MB of it.
  { name: 'limits', tool: 'prlimit', args: [`--as=${8 * 2 ** 30}`, '--core=0', '--nofile=64', '--cpu=1800'] },
  { name: 'no_network', tool: 'unshare', args: ['--net', '--ipc'] },
  { name: 'no_network_as_user', tool: 'unshare', args: ['--map-current-user', '--net', '--ipc'] },
  { name: 'no_new_privileges', tool: 'setpriv', args: ['--no-new-privs'] },
];

const TOOL_FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'];

/** How to start a child on this machine. */
export interface ProcessWall {
  readonly walls: readonly string[];
  command(
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
  return { walls, command: (settings, languages) => childCommand(prefix, settings, languages) };
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
  settings: SandboxSettings,
  given: readonly SandboxLanguage[],
): { file: string; args: string[] } {
  const languages = given.map(withRealPath);
  const preparations = languages.flatMap(({ preparation }) => preparation ?? []);
  const here = realpathSync(import.meta.dirname);
  const binary = nativeBinary();
  const node = [
    process.execPath,
    '--no-node-snapshot',
    '--no-warnings',
    '--permission',
    '--allow-addons',
    ...[...CHILD_FILES.map((file) => join(here, file)), binary, ...preparations].map((path) => `--allow-fs-read=${path}`),
    '--max-old-space-size=64',
    '--disable-wasm-trap-handler', // it would reserve 8 GB for the TypeScript parser
    '--disallow-code-generation-from-strings',
    join(here, 'child-main.ts'),
    binary,
    JSON.stringify(settings),
    JSON.stringify(languages),
  ];
  const [file, ...args] = [...prefix, ...node];
  return { file: file!, args };
}

/** One that is not there fails in the child, which tells the author of a program. */
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

function works([file, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file!, args, { env: {}, timeout: 5_000 }, (error) => resolve(!error));
  });
}
