import type { Config } from '../../config/env.ts';
import { CredentialsFile, makeDataDir } from '../../config/keys/credentials.ts';

export interface RotatedTokenSecret {
  readonly file: string;
  /** Former secrets that still verify tokens. */
  readonly older: number;
}

/** Gives the next start another secret to sign access tokens with. */
export async function rotateTokenSecret(config: Config): Promise<RotatedTokenSecret> {
  await makeDataDir(config.dataDir);
  const file = new CredentialsFile(config);
  return { older: (await file.rotateAccessTokenSecret()) - 1, file: file.path };
}

export const describeRotatedTokenSecret = ({ file, older }: RotatedTokenSecret): string =>
  `${file} has a new secret for access tokens; ${older} older still verify.\n` +
  'Services take it up when they restart. Tokens of the secret before stay good until they expire.';
