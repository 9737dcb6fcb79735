import { readStoredConfig } from '../config/env.ts';
import { CredentialsFile, makeDataDir } from '../config/keys/credentials.ts';

/** Gives the next start another secret to sign access tokens with. */
try {
  const config = readStoredConfig(process.env);
  await makeDataDir(config.dataDir);
  const file = new CredentialsFile(config);
  const kept = await file.rotateAccessTokenSecret();
  process.stdout.write(
    `${file.path} has a new secret for access tokens; ${kept - 1} older still verify.\n` +
      'Services take it up when they restart. Tokens of the secret before stay good until they expire.\n',
  );
} catch (error) {
  process.stderr.write(`touchstone cannot rotate its keys: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
