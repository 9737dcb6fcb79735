import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export const MANIFEST = 'manifest.json';

const BackupFile = z.object({
  /** Path within the backup. */
  file: z.string().regex(/^[\w./-]+$/),
  sha256: z.string(),
});

const BackupTable = BackupFile.extend({
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().nonnegative(),
  /** Of all rows, whatever their order: see `computeSum`. */
  checksum: z.string(),
});
export type BackupTable = z.infer<typeof BackupTable>;

/** Contents of a backup; written last, so that a folder without it is no backup. */
export const BackupManifest = z.object({
  format: z.literal(1),
  /** Of the service that made it. */
  version: z.string(),
  made_at: z.string(),
  /** Migrations that made the tables. */
  migrations: z.array(z.string()),
  tables: z.array(BackupTable),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), is_called: z.boolean() })),
  /** Jobs that were waiting or under way. */
  jobs: BackupFile.extend({ rows: z.int().nonnegative() }),
  /** Files of the data folder without which the tables are of little use. */
  files: z.array(BackupFile),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${folder} is no backup: ${error.code === 'ENOENT' ? `it has no ${MANIFEST}` : error.message}`);
  });
  try {
    return BackupManifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${join(folder, MANIFEST)} cannot be read; it is damaged, or of a newer version`, { cause });
  }
}
