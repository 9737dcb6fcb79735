import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessStore } from '../../core/access/access-store.ts';
import type { ApiKey, User } from '../../core/access/user.ts';
import type { Opened } from './opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';

function user(facts: Partial<User> = {}): User {
  const id = facts.id ?? randomUUID();
  const names = { email: `${id}@example.org`, first_name: 'Ada', last_name: '' };
  const rest = { password_hash: '$argon2id$x', token_version: 3, created_at: EARLY, updated_at: LATE };
  return { id, ...names, role: 'user', ...rest, ...facts };
}

function apiKey(facts: Partial<ApiKey> = {}): ApiKey {
  const id = facts.id ?? randomUUID();
  const rest = { description: 'for tests', truncated: 'abcd', expires_at: null, last_used_at: null, created_at: EARLY };
  return { id, user_id: randomUUID(), key_hash: `hash of ${id}`, ...rest, ...facts };
}

export function accessStoreContract(adapter: string, open: () => Promise<Opened<AccessStore>>): void {
  describe(`AccessStore, ${adapter}`, () => {
    let opened: Opened<AccessStore>;
    let store: AccessStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    users(() => store);
    apiKeys(() => store);
  });
}

function users(store: () => AccessStore): void {
  it('finds a user as it was stored', async () => {
    const stored = user({ role: 'admin', password_hash: null });
    await store().insertUser(stored);
    expect(await store().findUser(stored.id)).toStrictEqual(stored);
    expect(await store().findUserByEmail(stored.email)).toStrictEqual(stored);
  });

  it('answers undefined for an unknown user', async () => {
    await store().insertUser(user());
    expect(await store().findUser(randomUUID())).toBeUndefined();
    expect(await store().findUserByEmail('nobody@example.org')).toBeUndefined();
  });

  it('refuses a taken id and a taken e-mail', async () => {
    const first = user();
    await store().insertUser(first);
    await expect(store().insertUser(user({ id: first.id }))).rejects.toMatchObject({ kind: 'conflict' });
    await expect(store().insertUser(user({ email: first.email }))).rejects.toMatchObject({ kind: 'conflict' });
    expect(await store().countUsers()).toBe(1);
  });

  it('lists users by id and leaves out unknown ones', async () => {
    const [first, second, third] = [user(), user(), user()];
    for (const one of [first, second, third]) await store().insertUser(one);
    const listed = await store().listUsers([third.id, randomUUID(), first.id]);
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([first.id, third.id]));
    expect(listed.find(({ id }) => id === third.id)).toStrictEqual(third);
    expect(await store().listUsers([])).toEqual([]);
  });

  it('counts users', async () => {
    expect(await store().countUsers()).toBe(0);
    await store().insertUser(user());
    await store().insertUser(user());
    expect(await store().countUsers()).toBe(2);
  });
}

function apiKeys(store: () => AccessStore): void {
  it('finds a key by its digest, as it was stored', async () => {
    const stored = apiKey({ expires_at: LATE });
    await store().insertApiKey(stored);
    await store().insertApiKey(apiKey());
    expect(await store().findApiKeyByHash(stored.key_hash)).toStrictEqual(stored);
    expect(await store().findApiKeyByHash('no such digest')).toBeUndefined();
  });

  it('refuses a taken id and a taken digest', async () => {
    const first = apiKey();
    await store().insertApiKey(first);
    await expect(store().insertApiKey(apiKey({ id: first.id }))).rejects.toMatchObject({ kind: 'conflict' });
    await expect(store().insertApiKey(apiKey({ key_hash: first.key_hash }))).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('notes when a key was last used', async () => {
    const stored = apiKey();
    await store().insertApiKey(stored);
    await store().touchApiKey(stored.id, LATE);
    expect(await store().findApiKeyByHash(stored.key_hash)).toStrictEqual({ ...stored, last_used_at: LATE });
    await store().touchApiKey(randomUUID(), LATE);
  });

  it('hands out copies', async () => {
    const [one, key] = [user(), apiKey()];
    await store().insertUser(one);
    await store().insertApiKey(key);
    Object.assign((await store().findUser(one.id))!, { first_name: 'changed' });
    Object.assign((await store().findApiKeyByHash(key.key_hash))!, { description: 'changed' });
    expect(await store().findUser(one.id)).toStrictEqual(one);
    expect(await store().findApiKeyByHash(key.key_hash)).toStrictEqual(key);
  });
}
