import { resolve } from 'node:path';
import { readStoredConfig } from '../config/env.ts';
import { backUp, describeBackup } from './stored/back-up.ts';

/** Writes a backup, of a service that runs or of one that does not. */
try {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('say where to: npm run backup -- FOLDER');
  console.log(describeBackup(folder, await backUp(readStoredConfig(process.env), resolve(folder))).join('\n'));
} catch (error) {
  console.error(`touchstone cannot back up: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
