/** What an access token says of its bearer. */
export interface TokenClaims {
  readonly user_id: string;
  readonly token_version: number;
}

export interface TokenIssuer {
  /** A signed JWT with `exp`. */
  issue(claims: TokenClaims): Promise<string>;
  /** Undefined for anything but a token of ours that is still good. Never throws on bad input. */
  verify(token: string): Promise<TokenClaims | undefined>;
}

export interface PasswordHasher {
  /** A PHC string. Rejects with AppError `too_many` when too many hashes are waiting. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for a missing hash as for a wrong password, so that time does not tell which e-mails exist.
   * Rejects with AppError `too_many` when too many hashes are waiting.
   */
  verify(password: string, hash: string | null | undefined): Promise<boolean>;
}

export interface Secrets {
  /** A new random secret with the given prefix, 256 bits. */
  mint(prefix: string): string;
  /** SHA-256, hexadecimal: enough for secrets of 256 bits, and found by index. */
  digest(secret: string): string;
}

/** Checks an id token of a social login provider. Implemented together with that login. */
export interface IdentityVerifier {
  /** Undefined when the token is not good for this provider. */
  verify(
    provider: string,
    id_token: string,
  ): Promise<
    { readonly issuer: string; readonly subject: string; readonly email: string; readonly email_verified: boolean } | undefined
  >;
}
