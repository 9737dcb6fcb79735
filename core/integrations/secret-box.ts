/** One secret of an integration: the field names that lead to it from the top of its settings, and its text. */
export interface Secret {
  readonly path: readonly string[];
  readonly text: string;
}

/** Sealed secrets: none of them opens without a key that the database does not have. */
export interface SealedSecrets {
  /** Which key-encryption key wraps the data key. */
  readonly key_id: string;
  /** The data key of this integration, wrapped. */
  readonly key: string;
  /** Each secret, encrypted with the data key. */
  readonly fields: readonly Secret[];
}

/** Encrypts the secrets of integrations. What it returns holds no secret, in no form that can be read without its keys. */
export interface SecretBox {
  /** The key that seals; it stays the same until keys are rotated. */
  readonly currentKeyId: string;
  /** Whether what this key wraps can be opened. */
  knows(key_id: string): boolean;
  /** Seals under a new data key. Only `open` with the same owner opens it again. */
  seal(owner: string, secrets: readonly Secret[]): SealedSecrets;
  /** Throws an Error, without any part of a secret, when the key is not known or anything was changed, cut or moved. */
  open(owner: string, sealed: SealedSecrets): Secret[];
  /** Wraps the data key by the current key; the fields stay as they are. Throws as `open`. */
  rewrap(owner: string, sealed: SealedSecrets): SealedSecrets;
}
