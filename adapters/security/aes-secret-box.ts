import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SealedSecrets, Secret, SecretBox } from '../../core/integrations/secret-box.ts';

/** Stands before everything sealed, so that another form can be told apart one day. */
const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const TABLE = 'integrations';
const DATA_KEY = 'data key';

interface WrappingKey {
  /** Made of the key, so that a wrong key cannot have the right id. */
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM in an envelope: each integration has a data key of its own, wrapped by a key that stands outside the
 * database. What is encrypted is bound to its row and field, so that it opens nowhere else.
 */
export class AesSecretBox implements SecretBox {
  readonly #read: () => readonly string[];
  #keys: readonly WrappingKey[];

  /** `read` returns the keys as texts, the one that seals first; it is asked again when something needs a key that is not among them. */
  constructor(read: () => readonly string[]) {
    this.#read = read;
    this.#keys = read().map(wrappingKey);
    if (this.#keys.length === 0) throw new Error('there is no key to encrypt secrets with');
  }

  get currentKeyId(): string {
    return this.#keys[0]!.id;
  }

  knows(key_id: string): boolean {
    return this.#find(key_id) !== undefined;
  }

  seal(owner: string, secrets: readonly Secret[]): SealedSecrets {
    const dataKey = randomBytes(KEY_BYTES);
    const fields = secrets.map(({ path, text }) => {
      return { path, text: encrypt(dataKey, Buffer.from(text, 'utf8'), boundTo(owner, path)) };
    });
    return { ...this.#wrap(owner, dataKey), fields };
  }

  open(owner: string, sealed: SealedSecrets): Secret[] {
    const dataKey = this.#unwrap(owner, sealed);
    return sealed.fields.map(({ path, text }) => {
      return { path, text: decrypt(dataKey, text, boundTo(owner, path)).toString('utf8') };
    });
  }

  rewrap(owner: string, sealed: SealedSecrets): SealedSecrets {
    return { ...this.#wrap(owner, this.#unwrap(owner, sealed)), fields: sealed.fields };
  }

  #wrap(owner: string, dataKey: Buffer): Pick<SealedSecrets, 'key_id' | 'key'> {
    const { id, bytes } = this.#keys[0]!;
    return { key_id: id, key: encrypt(bytes, dataKey, boundTo(owner, DATA_KEY, id)) };
  }

  #unwrap(owner: string, { key_id, key }: SealedSecrets): Buffer {
    const known = this.#find(key_id);
    if (!known) throw new Error(`secrets are encrypted with key ${key_id}, which is not given`);
    return decrypt(known.bytes, key, boundTo(owner, DATA_KEY, key_id));
  }

  #find(key_id: string): WrappingKey | undefined {
    const find = () => this.#keys.find(({ id }) => id === key_id);
    const found = find();
    if (found) return found;
    this.#keys = this.#read().map(wrappingKey);
    return find();
  }
}

function wrappingKey(text: string): WrappingKey {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'touchstone secrets', KEY_BYTES));
  return { bytes, id: createHmac('sha256', bytes).update('id').digest('hex').slice(0, 16) };
}

/** One text for each list of parts, whatever stands in them. */
const boundTo = (...parts: readonly unknown[]): Buffer => Buffer.from(JSON.stringify([TABLE, ...parts]), 'utf8');

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bound);
  const sealed = Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${sealed.toString('base64url')}`;
}

function decrypt(key: Buffer, text: string, bound: Buffer): Buffer {
  const [version, encoded, ...rest] = text.split('.');
  const sealed = Buffer.from(encoded ?? '', 'base64url');
  if (version !== VERSION || rest.length > 0 || sealed.length < IV_BYTES + TAG_BYTES) throw damaged();
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(bound)
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw damaged();
  }
}

const damaged = (): Error => new Error('encrypted secrets do not open: they were changed, or moved here from another place');
