import { resolve } from 'node:path';
import { readStoredConfig } from '../config/env.ts';
import { describeRestored, restoreBackup } from './stored/restore-backup.ts';

/** Fills an empty database, and a data folder, from a backup. */
try {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('say where from: npm run restore -- FOLDER');
  console.log(describeRestored(await restoreBackup(readStoredConfig(process.env), resolve(folder))));
} catch (error) {
  console.error(`touchstone cannot restore: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
