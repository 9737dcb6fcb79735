import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';

/** The database's password, made up on first use; only the file's owner can read it. */
export async function readOrCreatePassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (kept?.trim()) {
    await chmod(file, 0o600);
    return kept.trim();
  }
  // Hexadecimal needs no escaping in a URL.
  const password = randomBytes(24).toString('hex');
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return password;
}
