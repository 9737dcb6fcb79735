/** A refresh token as stored. Tokens that follow each other are one family; a family ends when one of them is stolen. */
export interface RefreshToken {
  /** SHA-256 of the token, hexadecimal. */
  readonly token_hash: string;
  readonly family_id: string;
  readonly user_id: string;
  readonly token_version: number;
  /** The key that the first login was made with. */
  readonly api_key_id: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  /** When the next token of the family took its place. */
  readonly used_at: string | null;
}

/** A one-time code that proves an e-mail address. */
export interface VerificationCode {
  /** SHA-256 of the code, hexadecimal. */
  readonly code_hash: string;
  readonly user_id: string;
  /** The address it was sent to; another address of the user makes it void. */
  readonly email: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly used_at: string | null;
}

export interface Attempts {
  readonly key: string;
  readonly count: number;
  readonly last_at: string;
}

/** Stored state of logging in. Values handed in or out belong to the caller. */
export interface LoginStore {
  insertRefreshToken(token: RefreshToken): Promise<void>;
  /** Marks the token as used and returns it as it was before. Of two at once, only one finds it unused. */
  useRefreshToken(token_hash: string, now: string): Promise<RefreshToken | undefined>;
  removeRefreshFamily(family_id: string): Promise<void>;
  removeRefreshTokensOf(user_id: string): Promise<void>;

  /** The tokens of a login are good no longer. Of two ends of one the later `expires_at` counts. */
  endSession(session_id: string, expires_at: string): Promise<void>;
  isSessionEnded(session_id: string): Promise<boolean>;

  insertCode(code: VerificationCode): Promise<void>;
  findCode(code_hash: string): Promise<VerificationCode | undefined>;
  /** Marks the code as used and returns it as it was before. */
  useCode(code_hash: string, now: string): Promise<VerificationCode | undefined>;
  removeCodesOf(user_id: string): Promise<void>;

  /** Counts so far; keys without any are left out. */
  attempts(keys: readonly string[]): Promise<Attempts[]>;
  /** Counts one more; a count whose last one is before `since` begins anew. Returns the count now. */
  countAttempt(key: string, now: string, since: string): Promise<number>;
  /**
   * Takes one attempt back that was counted at `counted_at`, as if it had not been made: where none was counted since, the last
   * one is again at `last_at`. Without `last_at` there was none before.
   */
  withdrawAttempt(key: string, counted_at: string, last_at: string | undefined): Promise<void>;
  clearAttempts(key: string): Promise<void>;

  /** Remembers an id token until it expires. Returns false when it was remembered already. */
  rememberIdToken(token_hash: string, expires_at: string): Promise<boolean>;

  /** Removes what expired before `now`, ends of logins among it, and attempts before `since`. */
  removeExpired(now: string, since: string): Promise<void>;
}
