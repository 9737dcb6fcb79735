import { readFileSync } from 'node:fs';

/** Direct children of a process, on Linux; none elsewhere. */
export function getChildren(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
}
