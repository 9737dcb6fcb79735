import type { Attempts, LoginStore, RefreshToken, VerificationCode } from '../../../core/access/login/login-store.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { plain } from '../database/columns.ts';
import { FRESH } from '../database/fresh.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeText, encodeText } from '../database/text-codec.ts';
import { RefreshTokenTable, VerificationCodeTable } from './login-tables.ts';

const COUNT_ATTEMPT = `
insert into login_attempts (key, count, last_at) values ($1, 1, $2)
on conflict (key) do update set
  count = case when login_attempts.last_at < $3::timestamptz then 1 else login_attempts.count + 1 end,
  last_at = excluded.last_at
returning count`;

const WITHDRAW_ATTEMPT = `
update login_attempts set count = count - 1,
  last_at = case when last_at = $2::timestamptz then coalesce($3::timestamptz, last_at) else last_at end
where key = $1 and count > 1 returning key`;

/** Two instances may tidy up at once: rows that somebody else works on are left for the next time. */
const removeOlder = (table: string, key: string, moment: string): string =>
  `delete from ${table} where ${key} in (select ${key} from ${table} where ${moment} < $1::timestamptz for update skip locked)`;

export class PostgresLoginStore implements LoginStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insertRefreshToken(token: RefreshToken): Promise<void> {
    await this.#session.em.insert(RefreshTokenTable, token);
  }

  /** Whoever changes the row first found it unused; the others wait for that and then change nothing. */
  useRefreshToken(token_hash: string, now: string): Promise<RefreshToken | undefined> {
    return this.#session.run(async () => {
      const { em } = this.#session;
      const marked = await em.nativeUpdate(RefreshTokenTable, { token_hash, used_at: null }, { used_at: now });
      const row = await em.findOne(RefreshTokenTable, { token_hash }, FRESH);
      return row ? asBefore(plain<RefreshToken>(row), marked) : undefined;
    });
  }

  async removeRefreshFamily(family_id: string): Promise<void> {
    await this.#session.em.nativeDelete(RefreshTokenTable, { family_id });
  }

  async removeRefreshTokensOf(user_id: string): Promise<void> {
    await this.#session.em.nativeDelete(RefreshTokenTable, { user_id });
  }

  async endSession(session_id: string, expires_at: string): Promise<void> {
    await this.#session.sql(
      `insert into ended_sessions (session_id, expires_at) values ($1, $2)
       on conflict (session_id) do update set expires_at = greatest(ended_sessions.expires_at, excluded.expires_at)`,
      [session_id, expires_at],
    );
  }

  async isSessionEnded(session_id: string): Promise<boolean> {
    const found = await this.#session.sql('select 1 from ended_sessions where session_id = $1', [session_id]);
    return found.length > 0;
  }

  async insertCode(code: VerificationCode): Promise<void> {
    await this.#session.em.insert(VerificationCodeTable, code);
  }

  async findCode(code_hash: string): Promise<VerificationCode | undefined> {
    const row = await this.#session.em.findOne(VerificationCodeTable, { code_hash }, FRESH);
    return row ? plain<VerificationCode>(row) : undefined;
  }

  /** As `useRefreshToken`. */
  useCode(code_hash: string, now: string): Promise<VerificationCode | undefined> {
    return this.#session.run(async () => {
      const { em } = this.#session;
      const marked = await em.nativeUpdate(VerificationCodeTable, { code_hash, used_at: null }, { used_at: now });
      const row = await em.findOne(VerificationCodeTable, { code_hash }, FRESH);
      return row ? asBefore(plain<VerificationCode>(row), marked) : undefined;
    });
  }

  async removeCodesOf(user_id: string): Promise<void> {
    await this.#session.em.nativeDelete(VerificationCodeTable, { user_id });
  }

  async attempts(keys: readonly string[]): Promise<Attempts[]> {
    const rows = await this.#session.sql<Attempts>('select key, count, last_at from login_attempts where key = any($1::text[])', [
      keys.map(encodeText),
    ]);
    return rows.map(({ key, count, last_at }) => ({ key: decodeText(key), count, last_at: toUtc(last_at)! }));
  }

  async countAttempt(key: string, now: string, since: string): Promise<number> {
    const [row] = await this.#session.sql<{ count: number }>(COUNT_ATTEMPT, [encodeText(key), now, since]);
    return row!.count;
  }

  /** The last one is removed, unless somebody has counted another meanwhile: that is a row of two again, which has one left. */
  withdrawAttempt(key: string, counted_at: string, last_at: string | undefined): Promise<void> {
    const values = [encodeText(key), counted_at, last_at ?? null];
    return this.#session.run(async () => {
      const rest = await this.#session.sql(WITHDRAW_ATTEMPT, values);
      if (rest.length > 0) return;
      const gone = await this.#session.sql('delete from login_attempts where key = $1 and count <= 1 returning key', [values[0]]);
      if (gone.length === 0) await this.#session.sql(WITHDRAW_ATTEMPT, values);
    });
  }

  async clearAttempts(key: string): Promise<void> {
    await this.#session.sql('delete from login_attempts where key = $1', [encodeText(key)]);
  }

  async rememberIdToken(token_hash: string, expires_at: string): Promise<boolean> {
    const added = await this.#session.sql(
      'insert into used_id_tokens (token_hash, expires_at) values ($1, $2) on conflict do nothing returning token_hash',
      [token_hash, expires_at],
    );
    return added.length > 0;
  }

  async removeExpired(now: string, since: string): Promise<void> {
    await this.#session.sql(removeOlder('refresh_tokens', 'token_hash', 'expires_at'), [now]);
    await this.#session.sql(removeOlder('verification_codes', 'code_hash', 'expires_at'), [now]);
    await this.#session.sql(removeOlder('used_id_tokens', 'token_hash', 'expires_at'), [now]);
    await this.#session.sql(removeOlder('ended_sessions', 'session_id', 'expires_at'), [now]);
    await this.#session.sql(removeOlder('login_attempts', 'key', 'last_at'), [since]);
  }
}

const asBefore = <T extends { readonly used_at: string | null }>(row: T, marked: number): T =>
  marked > 0 ? { ...row, used_at: null } : row;
