import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The password of the database in `cluster`, made up before that is created; only the file's owner can read it. */
export async function readOrCreatePassword(file: string, cluster: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (kept?.trim()) {
    await chmod(file, 0o600);
    return kept.trim();
  }
  if (await stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) {
    throw new Error(`${file} is missing, and the database ${cluster} cannot be opened without it`);
  }
  // Hexadecimal needs no escaping in a URL.
  const password = randomBytes(24).toString('hex');
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return password;
}
