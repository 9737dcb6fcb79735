import { readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended and waits for its parent to notice (a zombie) does not. */
export function isAlive(pid: number): boolean {
  if (!answersSignals(pid)) return false;
  return process.platform !== 'linux' || stateOf(pid) !== 'Z';
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

function stateOf(pid: number): string | undefined {
  try {
    return parseState(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The state letter follows the program's name, which stands in brackets and may itself hold brackets and spaces. */
export function parseState(stat: string): string | undefined {
  return stat.slice(stat.lastIndexOf(')') + 1).trim()[0];
}
