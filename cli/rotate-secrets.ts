import { readStoredConfig } from '../config/env.ts';
import { describeRotatedSecrets, rotateSecrets } from './stored/rotate-secrets.ts';

/** Gives stored secrets another key. */
try {
  const config = readStoredConfig(process.env);
  process.stdout.write(`${describeRotatedSecrets(await rotateSecrets(config), config)}\n`);
} catch (error) {
  process.stderr.write(`touchstone cannot rotate its secrets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
