import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../setup/timing.ts';

/** A file system of its own, in memory. */
export interface SmallDisk {
  readonly path: string;
  grow(megabytes: number): void;
  remove(): Promise<void>;
}

/** Resolves to undefined where we may not make one: it takes root and its right to mount. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'touchstone-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    await rm(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    grow: (to) => void execFileSync('mount', ['-o', `remount,size=${to}m`, path]),
    remove: async () => {
      await unmounted(path);
      await rm(path, { recursive: true });
    },
  };
}

/** A database that was told to end may still be there for a moment. */
async function unmounted(path: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      execFileSync('umount', [path], { stdio: 'pipe' });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
