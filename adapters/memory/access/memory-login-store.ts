import type { Attempts, LoginStore, RefreshToken, VerificationCode } from '../../../core/access/login/login-store.ts';
import { isBefore } from '../../../core/kernel/timestamp.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { Table } from '../table.ts';

export class MemoryLoginStore implements LoginStore {
  readonly #tokens: Table<string, RefreshToken>;
  readonly #codes: Table<string, VerificationCode>;
  readonly #attempts: Table<string, Attempts>;
  readonly #idTokens: Table<string, string>;
  readonly #endedSessions: Table<string, string>;

  constructor({ database }: { database: MemoryDatabase }) {
    this.#tokens = database.table();
    this.#codes = database.table();
    this.#attempts = database.table();
    this.#idTokens = database.table();
    this.#endedSessions = database.table();
  }

  async insertRefreshToken(token: RefreshToken): Promise<void> {
    this.#tokens.set(token.token_hash, { ...token });
  }

  async useRefreshToken(token_hash: string, now: string): Promise<RefreshToken | undefined> {
    const token = this.#tokens.get(token_hash);
    if (token && token.used_at === null) this.#tokens.set(token_hash, { ...token, used_at: now });
    return token && { ...token };
  }

  async removeRefreshFamily(family_id: string): Promise<void> {
    removeWhere(this.#tokens, (token) => token.family_id === family_id);
  }

  async removeRefreshTokensOf(user_id: string): Promise<void> {
    removeWhere(this.#tokens, (token) => token.user_id === user_id);
  }

  async endSession(session_id: string, expires_at: string): Promise<void> {
    const known = this.#endedSessions.get(session_id);
    if (known === undefined || isBefore(known, expires_at)) this.#endedSessions.set(session_id, expires_at);
  }

  async isSessionEnded(session_id: string): Promise<boolean> {
    return this.#endedSessions.has(session_id);
  }

  async insertCode(code: VerificationCode): Promise<void> {
    this.#codes.set(code.code_hash, { ...code });
  }

  async findCode(code_hash: string): Promise<VerificationCode | undefined> {
    const code = this.#codes.get(code_hash);
    return code && { ...code };
  }

  async useCode(code_hash: string, now: string): Promise<VerificationCode | undefined> {
    const code = this.#codes.get(code_hash);
    if (code && code.used_at === null) this.#codes.set(code_hash, { ...code, used_at: now });
    return code && { ...code };
  }

  async removeCodesOf(user_id: string): Promise<void> {
    removeWhere(this.#codes, (code) => code.user_id === user_id);
  }

  async attempts(keys: readonly string[]): Promise<Attempts[]> {
    return structuredClone(keys.map((key) => this.#attempts.get(key)).filter((found) => found !== undefined));
  }

  async countAttempt(key: string, now: string, since: string): Promise<number> {
    const known = this.#attempts.get(key);
    const count = known && !isBefore(known.last_at, since) ? known.count + 1 : 1;
    this.#attempts.set(key, { key, count, last_at: now });
    return count;
  }

  async withdrawAttempt(key: string, counted_at: string, last_at: string | undefined): Promise<void> {
    const known = this.#attempts.get(key);
    if (!known) return;
    if (known.count <= 1) this.#attempts.delete(key);
    else
      this.#attempts.set(key, {
        key,
        count: known.count - 1,
        last_at: known.last_at === counted_at ? (last_at ?? counted_at) : known.last_at,
      });
  }

  async clearAttempts(key: string): Promise<void> {
    this.#attempts.delete(key);
  }

  async rememberIdToken(token_hash: string, expires_at: string): Promise<boolean> {
    if (this.#idTokens.has(token_hash)) return false;
    this.#idTokens.set(token_hash, expires_at);
    return true;
  }

  async removeExpired(now: string, since: string): Promise<void> {
    removeWhere(this.#tokens, ({ expires_at }) => isBefore(expires_at, now));
    removeWhere(this.#codes, ({ expires_at }) => isBefore(expires_at, now));
    removeWhere(this.#idTokens, (expires_at) => isBefore(expires_at, now));
    removeWhere(this.#endedSessions, (expires_at) => isBefore(expires_at, now));
    removeWhere(this.#attempts, ({ last_at }) => isBefore(last_at, since));
  }
}

function removeWhere<T>(rows: Table<string, T>, isGone: (row: T) => boolean): void {
  for (const [key, row] of rows) if (isGone(row)) rows.delete(key);
}
