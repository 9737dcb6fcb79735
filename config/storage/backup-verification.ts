import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const FILE = 'backup-verification.json';

/** Outcome of the last verification of a backup, and of the last one that was good. */
export const BackupVerification = z.object({
  /** `bad`: a restore would not bring back what was there. `not_verified`: it could not be tried; nothing is known of the backup. */
  result: z.enum(['good', 'bad', 'not_verified']),
  /** Of the backup; null where none was found. */
  backup: z.string().nullable(),
  /** When the backup was made. */
  made_at: z.iso.datetime().nullable(),
  /** Of the service that made it. */
  version: z.string().nullable(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  tables: z.int(),
  rows: z.int(),
  /** In words; empty when it is good. */
  faults: z.array(z.string()),
  /** The newest backup that was found good, this one or an earlier one. */
  last_good: z.object({ backup: z.string(), made_at: z.iso.datetime(), finished_at: z.iso.datetime() }).nullable(),
});
export type BackupVerification = z.output<typeof BackupVerification>;

/** Undefined when none was kept, or what was kept cannot be read. */
export async function readBackupVerification(dataDir: string): Promise<BackupVerification | undefined> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return BackupVerification.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Takes the place of the one before it; the name is that of a whole file at any moment. */
export async function keepBackupVerification(dataDir: string, verification: BackupVerification): Promise<void> {
  const file = join(dataDir, FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(verification, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
