import { chmod, cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Binaries, binariesIn } from './binaries.ts';
import { isAlive } from './process-table.ts';

/** Needed to compile against PostgreSQL, not to run it. */
const NOT_NEEDED = /\.a$|[\\/]pkgconfig$|[\\/]pgxs$/;

/** A copy of the programs that everybody may run; made once for each version. */
export async function copyPrograms(binaries: Binaries, sharedFolder: string): Promise<Binaries> {
  const target = join(sharedFolder, `postgres-${binaries.version}`);
  if (!(await stat(target).catch(() => undefined))) await copyTo(target, binaries.root);
  return binariesIn(target, binaries.version);
}

async function copyTo(target: string, source: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o755 });
  await removeLeftovers(target);
  // Moved into place when complete, so that a copy that exists is a whole one.
  const unfinished = `${target}.tmp-${process.pid}`;
  try {
    await cp(source, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !NOT_NEEDED.test(path) });
    await openToAll(unfinished);
    await rename(unfinished, target).catch((error: NodeJS.ErrnoException) => {
      // Another start was quicker.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, ((await stat(path)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}

async function removeLeftovers(target: string): Promise<void> {
  const prefix = `${basename(target)}.tmp-`;
  for (const name of await readdir(dirname(target))) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    await rm(join(dirname(target), name), { recursive: true, force: true });
  }
}
