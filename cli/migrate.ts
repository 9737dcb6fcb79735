import { readStoredConfig } from '../config/env.ts';
import { migrateSchema } from './stored/migrate-schema.ts';

/** Brings the schema up to date and ends: for those who migrate before they start the new version. */
try {
  await migrateSchema(readStoredConfig(process.env));
  console.log('the schema is up to date');
} catch (error) {
  console.error(`touchstone cannot migrate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
