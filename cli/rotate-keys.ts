import { readStoredConfig } from '../config/env.ts';
import { describeRotatedTokenSecret, rotateTokenSecret } from './stored/rotate-token-secret.ts';

/** Gives the next start another secret to sign access tokens with. */
try {
  process.stdout.write(`${describeRotatedTokenSecret(await rotateTokenSecret(readStoredConfig(process.env)))}\n`);
} catch (error) {
  process.stderr.write(`touchstone cannot rotate its keys: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
