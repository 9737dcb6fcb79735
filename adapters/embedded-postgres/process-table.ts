import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Whether a process runs. One that has ended and waits for its parent to notice (a zombie) does not. */
export function isAlive(pid: number): boolean {
  if (!answersSignals(pid)) return false;
  return process.platform !== 'linux' || getState(pid) !== 'Z';
}

/** Whether the living process `pid` is a PostgreSQL server of this cluster, and not one that got the number later. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  // A server makes its cluster its current directory.
  if (process.platform === 'linux') return readCurrentFolder(pid) === cluster;
  if (process.platform === 'win32') return true;
  return (await toCommand(pid)).includes(cluster);
}

/** Processes that work in a folder, such as what is left of a killed server. Undefined where the system does not tell. */
export async function processesIn(folder: string): Promise<number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.filter((pid) => readCurrentFolder(pid) === folder);
}

/** The state letter follows the program's name, which stands in brackets and may itself hold brackets and spaces. */
export function parseState(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 1).trim()[0];
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there, but somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function getState(pid: number): string | undefined {
  try {
    return parseState(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

function readCurrentFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

async function toCommand(pid: number): Promise<string> {
  return promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  );
}
