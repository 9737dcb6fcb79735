import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoginStore, RefreshToken, VerificationCode } from '../../../core/access/login/login-store.ts';
import type { Opened } from '../opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const LATER = '2026-01-02T04:00:00.000Z';

function refreshToken(facts: Partial<RefreshToken> = {}): RefreshToken {
  const ids = { token_hash: randomUUID(), family_id: randomUUID(), user_id: randomUUID(), api_key_id: null };
  return { ...ids, token_version: 2, created_at: EARLY, expires_at: LATER, used_at: null, ...facts };
}

function code(facts: Partial<VerificationCode> = {}): VerificationCode {
  const ids = { code_hash: randomUUID(), user_id: randomUUID(), email: 'ada@example.org' };
  return { ...ids, created_at: EARLY, expires_at: LATER, used_at: null, ...facts };
}

export function loginStoreContract(adapter: string, open: () => Promise<Opened<LoginStore>>): void {
  describe(`LoginStore, ${adapter}`, () => {
    let opened: Opened<LoginStore>;
    let store: LoginStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    refreshTokens(() => store);
    codes(() => store);
    attempts(() => store);
    expiry(() => store);
  });
}

function refreshTokens(store: () => LoginStore): void {
  it('returns a refresh token as it was stored, and from then on when it was first used', async () => {
    const stored = refreshToken({ api_key_id: randomUUID(), expires_at: LATE });
    await store().insertRefreshToken(stored);
    await store().insertRefreshToken(refreshToken());
    expect(await store().useRefreshToken(stored.token_hash, LATE)).toStrictEqual(stored);
    expect(await store().useRefreshToken(stored.token_hash, LATER)).toStrictEqual({ ...stored, used_at: LATE });
    expect(await store().useRefreshToken(stored.token_hash, LATER)).toStrictEqual({ ...stored, used_at: LATE });
  });

  it('returns undefined for an unknown refresh token', async () => {
    await store().insertRefreshToken(refreshToken());
    expect(await store().useRefreshToken('unknown', LATE)).toBeUndefined();
  });

  it('lets only one of several at once find a refresh token unused', async () => {
    const stored = refreshToken();
    await store().insertRefreshToken(stored);
    const found = await Promise.all(Array.from({ length: 5 }, () => store().useRefreshToken(stored.token_hash, LATE)));
    expect(found.map((token) => token!.used_at).sort()).toEqual([LATE, LATE, LATE, LATE, null]);
  });

  it('ends one family, and leaves others of the same user', async () => {
    const user_id = randomUUID();
    const [one, two, other] = [refreshToken({ user_id }), refreshToken({ user_id }), refreshToken({ user_id })];
    const next = refreshToken({ user_id, family_id: one.family_id });
    for (const token of [one, two, other, next]) await store().insertRefreshToken(token);
    await store().removeRefreshFamily(one.family_id);
    expect(await store().useRefreshToken(one.token_hash, LATE)).toBeUndefined();
    expect(await store().useRefreshToken(next.token_hash, LATE)).toBeUndefined();
    expect(await store().useRefreshToken(two.token_hash, LATE)).toStrictEqual(two);
    await store().removeRefreshFamily(randomUUID());
  });

  it('ends all families of one user, and none of others', async () => {
    const user_id = randomUUID();
    const [one, two, other] = [refreshToken({ user_id }), refreshToken({ user_id }), refreshToken()];
    for (const token of [one, two, other]) await store().insertRefreshToken(token);
    await store().removeRefreshTokensOf(user_id);
    for (const { token_hash } of [one, two]) expect(await store().useRefreshToken(token_hash, LATE)).toBeUndefined();
    expect(await store().useRefreshToken(other.token_hash, LATE)).toStrictEqual(other);
  });

  it('knows the logins that were ended, also when they are ended twice at once', async () => {
    const [ended, other] = [randomUUID(), randomUUID()];
    expect(await store().isSessionEnded(ended)).toBe(false);
    await Promise.all([LATE, EARLY, LATER].map((expires_at) => store().endSession(ended, expires_at)));
    expect(await store().isSessionEnded(ended)).toBe(true);
    expect(await store().isSessionEnded(other)).toBe(false);
    await store().removeExpired(LATER, EARLY);
    expect(await store().isSessionEnded(ended)).toBe(true);
  });

  it('forgets ended logins when no token of theirs can be about any more', async () => {
    const [early, late] = [randomUUID(), randomUUID()];
    await store().endSession(early, EARLY);
    await store().endSession(late, LATE);
    await store().removeExpired(LATE, EARLY);
    expect([await store().isSessionEnded(early), await store().isSessionEnded(late)]).toEqual([false, true]);
  });

  it('hands out copies', async () => {
    const stored = refreshToken({ used_at: EARLY });
    await store().insertRefreshToken(stored);
    Object.assign((await store().useRefreshToken(stored.token_hash, LATE))!, { token_version: 77 });
    expect(await store().useRefreshToken(stored.token_hash, LATE)).toStrictEqual(stored);
  });
}

function codes(store: () => LoginStore): void {
  it('returns a code as it was stored, and from then on when it was first used', async () => {
    const stored = code({ expires_at: LATE });
    await store().insertCode(stored);
    expect(await store().useCode(stored.code_hash, LATE)).toStrictEqual(stored);
    expect(await store().useCode(stored.code_hash, LATER)).toStrictEqual({ ...stored, used_at: LATE });
    expect(await store().useCode('unknown', LATER)).toBeUndefined();
  });

  it('finds a code without using it, and hands out copies', async () => {
    const stored = code({ expires_at: LATE });
    await store().insertCode(stored);
    Object.assign((await store().findCode(stored.code_hash))!, { email: 'changed' });
    expect(await store().findCode(stored.code_hash)).toStrictEqual(stored);
    expect(await store().useCode(stored.code_hash, LATE)).toStrictEqual(stored);
    expect(await store().findCode(stored.code_hash)).toStrictEqual({ ...stored, used_at: LATE });
    expect(await store().findCode('unknown')).toBeUndefined();
  });

  it('lets only one of several at once find a code unused', async () => {
    const stored = code();
    await store().insertCode(stored);
    const found = await Promise.all(Array.from({ length: 5 }, () => store().useCode(stored.code_hash, LATE)));
    expect(found.filter((one) => one!.used_at === null)).toHaveLength(1);
  });

  it('removes the codes of one user, and none of others', async () => {
    const [gone, kept] = [code(), code()];
    for (const one of [gone, kept]) await store().insertCode(one);
    await store().removeCodesOf(gone.user_id);
    expect(await store().useCode(gone.code_hash, LATE)).toBeUndefined();
    expect(await store().useCode(kept.code_hash, LATE)).toStrictEqual(kept);
  });

  it('hands out copies of codes', async () => {
    const stored = code({ used_at: EARLY });
    await store().insertCode(stored);
    Object.assign((await store().useCode(stored.code_hash, LATE))!, { email: 'changed' });
    expect(await store().useCode(stored.code_hash, LATE)).toStrictEqual(stored);
  });
}

function attempts(store: () => LoginStore): void {
  it('counts attempts for each key apart', async () => {
    expect(await store().countAttempt('a', EARLY, EARLY)).toBe(1);
    expect(await store().countAttempt('a', LATE, EARLY)).toBe(2);
    expect(await store().countAttempt('b', LATER, EARLY)).toBe(1);
    const found = await store().attempts(['b', 'a', 'unknown']);
    expect(found.sort((x, y) => (x.key < y.key ? -1 : 1))).toStrictEqual([
      { key: 'a', count: 2, last_at: LATE },
      { key: 'b', count: 1, last_at: LATER },
    ]);
    expect(await store().attempts([])).toEqual([]);
  });

  it('begins anew when the last attempt is too long ago, to the microsecond', async () => {
    await store().countAttempt('a', EARLY, EARLY);
    expect(await store().countAttempt('a', EARLY, EARLY)).toBe(2);
    expect(await store().countAttempt('a', LATER, LATE)).toBe(1);
    expect(await store().countAttempt('a', LATER, LATE)).toBe(2);
  });

  it('counts each of several at once', async () => {
    const counts = await Promise.all(Array.from({ length: 8 }, () => store().countAttempt('a', LATE, EARLY)));
    expect(counts.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('takes an attempt back as if it had not been made', async () => {
    await store().countAttempt('a', EARLY, EARLY);
    await store().countAttempt('a', LATE, EARLY);
    await store().withdrawAttempt('a', LATE, EARLY);
    expect(await store().attempts(['a'])).toStrictEqual([{ key: 'a', count: 1, last_at: EARLY }]);
    await store().withdrawAttempt('a', EARLY, undefined);
    await store().withdrawAttempt('a', EARLY, undefined);
    await store().withdrawAttempt('unknown', EARLY, undefined);
    expect(await store().attempts(['a', 'unknown'])).toEqual([]);
  });

  it('leaves the time of an attempt that was counted since', async () => {
    await store().countAttempt('a', EARLY, EARLY);
    await store().countAttempt('a', LATE, EARLY);
    await store().countAttempt('a', LATER, EARLY);
    await store().withdrawAttempt('a', LATE, EARLY);
    expect(await store().attempts(['a'])).toStrictEqual([{ key: 'a', count: 2, last_at: LATER }]);
  });

  it('takes back each of several at once, and nothing that is counted meanwhile', async () => {
    for (let one = 0; one < 5; one += 1) await store().countAttempt('a', EARLY, EARLY);
    const withdrawn = Array.from({ length: 5 }, () => store().withdrawAttempt('a', EARLY, undefined));
    const counted = Array.from({ length: 3 }, () => store().countAttempt('a', EARLY, EARLY));
    await Promise.all([...withdrawn, ...counted]);
    expect(await store().attempts(['a'])).toMatchObject([{ count: 3 }]);
  });

  it('forgets the attempts of one key', async () => {
    for (const key of ['a', 'b']) await store().countAttempt(key, EARLY, EARLY);
    await store().clearAttempts('a');
    await store().clearAttempts('unknown');
    expect(await store().attempts(['a', 'b'])).toMatchObject([{ key: 'b' }]);
    expect(await store().countAttempt('a', LATE, EARLY)).toBe(1);
  });

  it('takes any text as a key, and hands out copies', async () => {
    const key = 'nobody\0\ud800@example.org';
    await store().countAttempt(key, EARLY, EARLY);
    Object.assign((await store().attempts([key]))[0]!, { count: 77 });
    expect(await store().attempts([key])).toStrictEqual([{ key, count: 1, last_at: EARLY }]);
    await store().clearAttempts(key);
    expect(await store().attempts([key])).toEqual([]);
  });
}

function expiry(store: () => LoginStore): void {
  it('remembers an id token once', async () => {
    expect(await store().rememberIdToken('one', LATER)).toBe(true);
    expect(await store().rememberIdToken('one', LATER)).toBe(false);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => store().rememberIdToken('two', LATER)));
    expect(outcomes.filter((isNew) => isNew)).toHaveLength(1);
  });

  it('removes what expired before a timestamp, and nothing else', async () => {
    const [oldToken, token] = [refreshToken({ expires_at: EARLY }), refreshToken({ expires_at: LATE })];
    for (const one of [oldToken, token]) await store().insertRefreshToken(one);
    const [oldCode, freshCode] = [code({ expires_at: EARLY }), code({ expires_at: LATE })];
    for (const one of [oldCode, freshCode]) await store().insertCode(one);
    await store().rememberIdToken('old', EARLY);
    await store().rememberIdToken('fresh', LATE);
    await store().countAttempt('old', LATE, EARLY);
    await store().countAttempt('fresh', LATER, EARLY);

    await store().removeExpired(LATE, LATER);
    expect(await store().useRefreshToken(oldToken.token_hash, LATER)).toBeUndefined();
    expect(await store().useRefreshToken(token.token_hash, LATER)).toStrictEqual(token);
    expect(await store().useCode(oldCode.code_hash, LATER)).toBeUndefined();
    expect(await store().useCode(freshCode.code_hash, LATER)).toStrictEqual(freshCode);
    expect(await store().rememberIdToken('old', LATER)).toBe(true);
    expect(await store().rememberIdToken('fresh', LATER)).toBe(false);
    expect(await store().attempts(['old', 'fresh'])).toMatchObject([{ key: 'fresh' }]);
  });
}
