import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { NodeSecrets } from '../../adapters/security/node-secrets.ts';
import { API_KEY_PREFIX } from '../../core/access/access-service.ts';
import type { Config } from '../env.ts';

const Stored = z.object({
  admin_email: z.string().optional(),
  admin_password: z.string().optional(),
  admin_api_key: z.string().optional(),
  /** Newest first: the first signs, all verify. */
  access_token_secrets: z.array(z.string()).optional(),
  /** The only secret, as kept before there could be several. */
  access_token_secret: z.string().optional(),
});
type Stored = z.output<typeof Stored>;

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/** Tokens live for a day: who replaces the secret more often than that ends some of them early. */
const SECRETS_KEPT = 3;
const DEFAULT_EMAIL = 'admin@touchstone.local';

/** The file in the data folder that keeps what was generated, readable by its owner alone. */
export class CredentialsFile {
  readonly path: string;
  readonly #config: Config;

  constructor(config: Config) {
    this.path = join(config.dataDir, 'credentials.json');
    this.#config = config;
  }

  /**
   * The secrets of access tokens, the one that signs first: from the configuration, else generated once and kept. Old
   * ones of the configuration come last.
   */
  async accessTokenSecrets(): Promise<string[]> {
    const { accessTokenSecret, accessTokenOldSecrets } = this.#config;
    const current = accessTokenSecret === undefined ? await this.#keptSecrets() : [accessTokenSecret];
    return [...current, ...accessTokenOldSecrets];
  }

  /**
   * Puts a new secret before those that are kept, and drops the oldest. Returns how many are kept. Rejects when the
   * configuration sets the secret, because then the file is not asked.
   */
  async rotateAccessTokenSecret(): Promise<number> {
    if (this.#config.accessTokenSecret !== undefined)
      throw new Error(
        'ACCESS_TOKEN_SECRET is set: give it a new value and move the present one to ACCESS_TOKEN_OLD_SECRETS instead',
      );
    const { access_token_secret: _single, ...stored } = await this.#read();
    const access_token_secrets = [newSecret(), ...(await this.#keptSecrets())].slice(0, SECRETS_KEPT);
    await this.#write({ ...stored, access_token_secrets });
    return access_token_secrets.length;
  }

  async #keptSecrets(): Promise<string[]> {
    const generated = [newSecret()];
    // Of instances that share the folder and start at once, the first to make the file decides.
    await this.#create({ access_token_secrets: generated });
    const stored = await this.#read();
    const kept = getSecrets(stored);
    if (kept.length > 0) return kept;
    await this.#write({ ...stored, access_token_secrets: generated });
    return generated;
  }

  /** The first administrator: from the configuration, what is missing there from the file, else generated and kept. */
  async firstAdmin(): Promise<Credentials> {
    const { admin } = this.#config;
    const stored = await this.#read();
    const email = admin.email ?? stored.admin_email ?? DEFAULT_EMAIL;
    const password = admin.password ?? stored.admin_password ?? randomBytes(15).toString('base64url');
    const apiKey = admin.apiKey ?? stored.admin_api_key ?? new NodeSecrets().mint(API_KEY_PREFIX);
    await this.#write({ ...stored, admin_email: email, admin_password: password, admin_api_key: apiKey });
    return { email, password, apiKey };
  }

  async #read(): Promise<Stored> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw new Error(`${this.path} cannot be read: ${error.message}`, { cause: error });
    });
    try {
      return Stored.parse(JSON.parse(text));
    } catch (cause) {
      throw new Error(`${this.path} is damaged; restore it, or remove it to have new credentials generated`, { cause });
    }
  }

  /** Makes the file where there is none. */
  async #create(stored: Stored): Promise<void> {
    const beside = await this.#writeBeside(stored);
    await link(beside, this.path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await rm(beside);
  }

  /** Written beside and renamed, so that a crash leaves the old file or the new one. */
  async #write(stored: Stored): Promise<void> {
    await rename(await this.#writeBeside(stored), this.path);
  }

  async #writeBeside(stored: Stored): Promise<string> {
    const beside = `${this.path}.${randomBytes(6).toString('hex')}`;
    await writeFile(beside, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flush: true });
    await chmod(beside, 0o600);
    return beside;
  }
}

const newSecret = (): string => randomBytes(48).toString('base64url');

const getSecrets = ({ access_token_secrets, access_token_secret }: Stored): string[] =>
  access_token_secrets ?? (access_token_secret === undefined ? [] : [access_token_secret]);

/** Makes the data folder. As root, others may pass through it, because the database server runs as another user; its files are closed to them. */
export async function makeDataDir(path: string): Promise<void> {
  await makeFolder(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the data folder ${path} cannot be made: ${error.message}`, { cause: error });
  });
}

/** Not `recursive`: Node tries for ever where the system refuses a folder as if its parent were missing. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !(await isFolder(dirname(path)))) {
      await makeFolder(dirname(path));
      await makeFolder(path);
    } else if (code !== 'EEXIST' || !(await isFolder(path))) throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
