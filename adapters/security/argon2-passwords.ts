import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { PasswordHasher } from '../../core/access/login/identity.ts';
import { AppError } from '../../core/kernel/errors.ts';

const derive = promisify(argon2);

/** OWASP's figures for argon2id: 19 MiB, two passes, one lane; about 20 ms a hash. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const TAG_BYTES = 32;
const SALT_BYTES = 16;
const AT_ONCE = 2;
const MAX_WAITING = 20;
const MAX_PASSWORD_BYTES = 1024;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** argon2id as PHC strings. Hashing is dear on purpose, so only two run at once and few may wait. */
export class Argon2Passwords implements PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Of no password: verified against when there is no user, so that an unknown name costs the same time. */
  readonly #decoy = phc(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return phc(salt, await this.#inTurn(() => getTag(password, salt, COST, TAG_BYTES)));
  }

  async verify(password: string, hash: string | null | undefined): Promise<boolean> {
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
    const parts = PHC.exec(hash ?? this.#decoy);
    if (!parts) return false;
    const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const expected = Buffer.from(tag, 'base64');
    const actual = await this.#inTurn(() => getTag(password, Buffer.from(salt, 'base64'), cost, expected.length));
    return timingSafeEqual(actual, expected) && hash !== null && hash !== undefined;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new AppError('too_many', 'login_busy', 'too many logins at once', { retryAfterSeconds: 1 });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

function getTag(
  password: string,
  salt: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
  tagLength: number,
): Promise<Buffer> {
  return derive('argon2id', { message: password.normalize('NFKC'), nonce: salt, ...cost, tagLength });
}

const phc = (salt: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
