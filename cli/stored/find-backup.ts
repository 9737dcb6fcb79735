import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST, readManifest } from '../../adapters/postgres/backup/manifest.ts';

/** A backup, or the newest of those in a folder. Rejects when there is none, and when the manifest of one of them cannot be read. */
export async function findBackup(folder: string): Promise<string> {
  if (await isBackup(folder)) return folder;
  let newest: { path: string; made_at: string } | undefined;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith('.unfinished') || !(await isBackup(path))) continue;
    const { made_at } = await readManifest(path);
    if (newest === undefined || made_at > newest.made_at) newest = { path, made_at };
  }
  if (newest === undefined) throw new Error(`${folder} is no backup, and holds none`);
  return newest.path;
}

const isBackup = (path: string): Promise<boolean> =>
  stat(join(path, MANIFEST)).then(
    () => true,
    () => false,
  );
