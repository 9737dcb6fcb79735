import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../env.ts';

/** Newest first: the first encrypts, all decrypt. */
const Stored = z.object({ keys: z.array(z.string().min(32)).min(1) });

/** Replaced keys stay this long, because a service that has not restarted may still write by one. */
const KEPT = 3;

/**
 * The keys that wrap the data keys of integrations: from the configuration, else generated once and kept in the data folder,
 * in a file of their own that only its owner reads. What they wrapped is lost without them.
 */
export class SecretKeys {
  readonly path: string;
  readonly #config: Config;

  constructor(config: Config) {
    this.path = join(config.dataDir, 'secret-keys.json');
    this.#config = config;
  }

  /** The one that encrypts first. Whoever went from a kept key to a configured one still reads by the kept ones. */
  read(): string[] {
    const { secretsKey, secretsOldKeys } = this.#config;
    const kept = this.#kept();
    if (secretsKey !== undefined) return [secretsKey, ...secretsOldKeys, ...kept];
    return [...(kept.length > 0 ? kept : this.#generated()), ...secretsOldKeys];
  }

  /** Puts a new key before the kept ones. Throws when the configuration sets the key. */
  add(): void {
    if (this.#config.secretsKey !== undefined)
      throw new Error('SECRETS_KEY is set: give it a new value and move the present one to SECRETS_OLD_KEYS instead');
    const beside = this.#writeBeside([newKey(), ...this.#kept()]);
    renameSync(beside, this.path);
  }

  /** Drops the oldest kept keys that nothing needs any more. */
  prune(isNeeded: (key: string) => boolean): void {
    const kept = this.#kept();
    const staying = kept.filter((key, index) => index < KEPT || isNeeded(key));
    if (staying.length < kept.length) renameSync(this.#writeBeside(staying), this.path);
  }

  #kept(): string[] {
    let text: string;
    try {
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw new Error(`${this.path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    try {
      return Stored.parse(JSON.parse(text)).keys;
    } catch {
      throw new Error(`${this.path} is damaged; restore it, because the secrets of integrations cannot be read without it`);
    }
  }

  /** Of instances that share the folder and start at once, the first to make the file decides. */
  #generated(): string[] {
    const beside = this.#writeBeside([newKey()]);
    try {
      linkSync(beside, this.path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(beside);
    }
    return this.#kept();
  }

  #writeBeside(keys: readonly string[]): string {
    const beside = `${this.path}.${randomBytes(6).toString('hex')}`;
    writeFileSync(beside, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600, flush: true });
    return beside;
  }
}

const newKey = (): string => randomBytes(32).toString('base64url');
