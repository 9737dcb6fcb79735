import type { Identity } from '../../plugin-sdk/index.ts';

/** Claims of an access token about its bearer. */
export interface TokenClaims {
  readonly user_id: string;
  readonly token_version: number;
  /** The key that was exchanged for the token: its limits hold for the token, and its end is the token's. */
  readonly api_key_id: string | null;
}

/** Claims of a verified token. */
export interface VerifiedToken extends TokenClaims {
  /** The login that the token came of, which it ends with; of a token that was got by none, the token itself. */
  readonly session_id: string;
}

export interface TokenIssuer {
  /** A signed JWT with `exp`. `session_id` is a UUID. */
  issue(claims: TokenClaims & { readonly session_id?: string }): Promise<string>;
  /** Undefined for anything but a token of ours that has not expired. Never throws on bad input. */
  verify(token: string): Promise<VerifiedToken | undefined>;
  /** A token that is good for nothing but completing the verification of an e-mail address, for 15 minutes. */
  issueForVerification(email: string): Promise<string>;
  /** The address of such a token; undefined for anything else. */
  verifyForVerification(token: string): Promise<string | undefined>;
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

/** Learns from the configured identity providers who somebody is. */
export interface IdentityVerifier {
  /** How a provider is set up; undefined when it is not. */
  settings(provider: string): SocialSettings | undefined;
  /**
   * Undefined when the credential, such as an id token, is not good for this provider. Rejects with AppError `unavailable` when the
   * provider cannot tell now.
   */
  verify(provider: string, id_token: string): Promise<Identity | undefined>;
}

/** A sign-in by a code that has begun. */
export interface BegunSignIn {
  /** Where the browser is to go; it holds the state that comes back. */
  readonly authorization_url: string;
  /** The part that the browser has to keep, and scripts need not read: good for this one sign-in. */
  readonly sealed: string;
}

/** Query that a provider sends a browser back with. */
export interface CodeAnswer {
  readonly code: string;
  readonly state: string;
  readonly iss?: string | null | undefined;
}

/** Sign-in that has begun in a browser, as it was sealed. */
export interface PendingSignIn {
  readonly provider: string;
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly expires_at: string;
}

/** Signs people in by the authorization code flow with PKCE. */
export interface CodeSignIns {
  /**
   * Rejects with AppError `bad_request` when the provider is not set up or gives no codes, `unavailable` when it cannot be reached.
   */
  begin(provider: string): Promise<BegunSignIn>;
  /** The sign-in that was sealed; undefined when it was not sealed here, is over, or began with another state. Never throws on bad input. */
  open(sealed: string, state: string): PendingSignIn | undefined;
  /** Whose the code is; undefined when it is not good. Rejects with AppError `unavailable` when the provider cannot tell now. */
  redeem(pending: PendingSignIn, answer: CodeAnswer): Promise<Identity | undefined>;
}

export interface SocialSettings {
  /** Whether a person without an account gets one. Null: not. A list: those with an address of these domains; empty: all. */
  readonly sign_up_domains: readonly string[] | null;
  /** Whether each token is taken only once. */
  readonly single_use: boolean;
}
