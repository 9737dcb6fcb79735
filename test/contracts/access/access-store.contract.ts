import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AccessStore } from '../../../core/access/access-store.ts';
import type { ApiKey, User } from '../../../core/access/users/user.ts';
import type { Opened } from '../opened.ts';

const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';

function user(facts: Partial<User> = {}): User {
  const id = facts.id ?? randomUUID();
  const names = { email: `${id}@example.org`, first_name: 'Ada', last_name: '' };
  const rest = { password_hash: '$argon2id$x', token_version: 3, created_at: EARLY, updated_at: LATE };
  const state = { role: 'user', auth_method: 'email', email_is_verified: true, is_disabled: false } as const;
  return { id, ...names, ...state, ...rest, ...facts };
}

function apiKey(facts: Partial<ApiKey> = {}): ApiKey {
  const id = facts.id ?? randomUUID();
  const limits = { project_id: null, max_role: null, purpose: null, expires_at: null };
  const rest = { description: 'for tests', truncated: 'abcd', last_used_at: null, created_at: EARLY };
  return { id, user_id: randomUUID(), key_hash: `hash of ${id}`, ...limits, ...rest, ...facts };
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

    organization(() => store);
    users(() => store);
    changesOfUsers(() => store);
    apiKeys(() => store);
    identities(() => store);
  });
}

const names = (rows: readonly User[]) => rows.map(({ first_name }) => first_name);
const descriptions = (rows: readonly ApiKey[]) => rows.map(({ description }) => description);
const ALL = { offset: 0, limit: 100 };

function organization(store: () => AccessStore): void {
  it('has one organisation, which can be renamed and keeps its id', async () => {
    const { id } = await store().organization();
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    await store().renameOrganization('Müller & Söhne');
    expect(await store().organization()).toStrictEqual({ id, name: 'Müller & Söhne' });
    Object.assign(await store().organization(), { name: 'changed outside' });
    expect(await store().organization()).toStrictEqual({ id, name: 'Müller & Söhne' });
  });
}

function users(store: () => AccessStore): void {
  it('finds a user as it was stored', async () => {
    const state = { auth_method: 'azure-ad', email_is_verified: false, is_disabled: true } as const;
    const stored = user({ role: 'admin', password_hash: null, ...state });
    await store().insertUser(stored);
    expect(await store().findUser(stored.id)).toStrictEqual(stored);
    expect(await store().findUserByEmail(stored.email)).toStrictEqual(stored);
  });

  it('returns undefined for an unknown user', async () => {
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

function changesOfUsers(store: () => AccessStore): void {
  it('lists users oldest first, to the microsecond, ties by id, in slices without overlap or gap', async () => {
    await store().insertUser(user({ first_name: 'last', created_at: LATE }));
    await store().insertUser(user({ id: '22222222-2222-4222-8222-222222222222', first_name: 'second', created_at: EARLY }));
    await store().insertUser(user({ id: '11111111-2222-4222-8222-222222222222', first_name: 'first', created_at: EARLY }));
    expect(names(await store().listUserPage(ALL))).toEqual(['first', 'second', 'last']);
    expect(names(await store().listUserPage({ offset: 0, limit: 2 }))).toEqual(['first', 'second']);
    expect(names(await store().listUserPage({ offset: 2, limit: 2 }))).toEqual(['last']);
    expect(await store().listUserPage({ offset: 3, limit: 2 })).toEqual([]);
  });

  it('changes the given fields of a user and no others', async () => {
    const [stored, other] = [user(), user()];
    for (const one of [stored, other]) await store().insertUser(one);
    const changes = { is_disabled: true, email_is_verified: false, role: 'read_only', updated_at: LATE } as const;
    expect(await store().updateUser(stored.id, changes)).toStrictEqual({ ...stored, ...changes });
    const more = { email: 'new@example.org', first_name: 'B', last_name: 'C', auth_method: 'saml', password_hash: null } as const;
    const after = { ...stored, ...changes, ...more, token_version: 9, updated_at: EARLY };
    expect(await store().updateUser(stored.id, { ...more, token_version: 9, updated_at: EARLY })).toStrictEqual(after);
    expect(await store().findUser(stored.id)).toStrictEqual(after);
    expect(await store().findUser(other.id)).toStrictEqual(other);
  });

  it('returns undefined when an unknown user is changed', async () => {
    expect(await store().updateUser(randomUUID(), { role: 'admin', updated_at: LATE })).toBeUndefined();
    expect(await store().countUsers()).toBe(0);
  });

  it('refuses to change an e-mail to a taken one, and changes nothing then', async () => {
    const [first, second] = [user(), user()];
    for (const one of [first, second]) await store().insertUser(one);
    const taken = store().updateUser(second.id, { email: first.email, first_name: 'x', updated_at: EARLY });
    await expect(taken).rejects.toMatchObject({ kind: 'conflict', code: 'user_exists' });
    expect(await store().findUser(second.id)).toStrictEqual(second);
    expect(await store().updateUser(first.id, { email: first.email, updated_at: EARLY })).toBeDefined();
  });

  it('ends the tokens of one user by raising the version', async () => {
    const [stored, other] = [user(), user()];
    for (const one of [stored, other]) await store().insertUser(one);
    await store().endTokens(stored.id);
    await store().endTokens(stored.id);
    await store().endTokens(randomUUID());
    expect(await store().findUser(stored.id)).toStrictEqual({ ...stored, token_version: stored.token_version + 2 });
    expect(await store().findUser(other.id)).toStrictEqual(other);
  });

  it('removes a user with keys and accounts elsewhere, and nothing of others', async () => {
    const [gone, kept] = [user(), user()];
    const [goneKey, keptKey] = [apiKey({ user_id: gone.id }), apiKey({ user_id: kept.id })];
    for (const one of [gone, kept]) await store().insertUser(one);
    for (const one of [goneKey, keptKey]) await store().insertApiKey(one);
    await store().insertIdentity({ issuer: 'i', subject: 'gone', user_id: gone.id, created_at: EARLY });
    await store().insertIdentity({ issuer: 'i', subject: 'kept', user_id: kept.id, created_at: EARLY });
    expect(await store().removeUser(gone.id)).toBe(true);
    expect(await store().findUser(gone.id)).toBeUndefined();
    expect(await store().findApiKey(goneKey.id)).toBeUndefined();
    expect(await store().findUserByIdentity('i', 'gone')).toBeUndefined();
    expect(await store().findUserByIdentity('i', 'kept')).toStrictEqual(kept);
    expect(await store().findApiKey(keptKey.id)).toStrictEqual(keptKey);
    await store().insertIdentity({ issuer: 'i', subject: 'gone', user_id: kept.id, created_at: EARLY });
    expect(await store().removeUser(gone.id)).toBe(false);
  });

  it('holds the administrators that are not disabled', async () => {
    const admins = [user({ role: 'admin' }), user({ role: 'admin', email_is_verified: false })];
    const others = [user({ role: 'admin', is_disabled: true }), user({ role: 'manager' }), user()];
    for (const one of [...admins, ...others]) await store().insertUser(one);
    expect((await store().holdAdmins()).sort()).toEqual(admins.map(({ id }) => id).sort());
  });
}

function apiKeys(store: () => AccessStore): void {
  it('finds a key by its id and by its digest, as it was stored', async () => {
    const stored = apiKey({
      expires_at: LATE,
      last_used_at: EARLY,
      project_id: randomUUID(),
      max_role: 'annotator',
      purpose: 'provisioning',
    });
    await store().insertApiKey(stored);
    await store().insertApiKey(apiKey());
    expect(await store().findApiKey(stored.id)).toStrictEqual(stored);
    expect(await store().findApiKeyByHash(stored.key_hash)).toStrictEqual(stored);
    expect(await store().findApiKey(randomUUID())).toBeUndefined();
    expect(await store().findApiKeyByHash('no such digest')).toBeUndefined();
  });

  it('lists the keys of one user newest first, ties by id, in slices', async () => {
    const user_id = randomUUID();
    const key = (description: string, facts: Partial<ApiKey>) => store().insertApiKey(apiKey({ user_id, description, ...facts }));
    await key('second', { id: '11111111-2222-4222-8222-222222222222', created_at: EARLY });
    await key('third', { id: '22222222-2222-4222-8222-222222222222', created_at: EARLY });
    await key('first', { created_at: LATE });
    await store().insertApiKey(apiKey());
    expect(descriptions(await store().listApiKeys(user_id, ALL))).toEqual(['first', 'second', 'third']);
    expect(descriptions(await store().listApiKeys(user_id, { offset: 1, limit: 1 }))).toEqual(['second']);
    expect(await store().listApiKeys(randomUUID(), ALL)).toEqual([]);
  });

  it('removes a key once', async () => {
    const [gone, kept] = [apiKey(), apiKey()];
    for (const one of [gone, kept]) await store().insertApiKey(one);
    expect(await store().removeApiKey(gone.id)).toBe(true);
    expect(await store().removeApiKey(gone.id)).toBe(false);
    expect(await store().findApiKeyByHash(gone.key_hash)).toBeUndefined();
    expect(await store().findApiKey(kept.id)).toStrictEqual(kept);
  });

  it('removes the keys that were made for a project, and no others', async () => {
    const project_id = randomUUID();
    const gone = [apiKey({ project_id }), apiKey({ project_id })];
    const kept = [apiKey({ project_id: randomUUID() }), apiKey()];
    for (const one of [...gone, ...kept]) await store().insertApiKey(one);
    await store().removeApiKeysOfProject(project_id);
    for (const { id } of gone) expect(await store().findApiKey(id)).toBeUndefined();
    for (const one of kept) expect(await store().findApiKey(one.id)).toStrictEqual(one);
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

function identities(store: () => AccessStore): void {
  it('finds a user by issuer and subject, by both of them', async () => {
    const stored = user();
    await store().insertUser(stored);
    await store().insertIdentity({ issuer: 'https://a.example', subject: '1', user_id: stored.id, created_at: EARLY });
    expect(await store().findUserByIdentity('https://a.example', '1')).toStrictEqual(stored);
    expect(await store().findUserByIdentity('https://a.example', '2')).toBeUndefined();
    expect(await store().findUserByIdentity('https://b.example', '1')).toBeUndefined();
  });

  it('gives an account elsewhere to one user only, while a user may have several', async () => {
    const [first, second] = [user(), user()];
    for (const one of [first, second]) await store().insertUser(one);
    const account = { issuer: 'i', subject: 's', created_at: EARLY };
    await store().insertIdentity({ ...account, user_id: first.id });
    const again = store().insertIdentity({ ...account, user_id: second.id });
    await expect(again).rejects.toMatchObject({ kind: 'conflict', code: 'identity_exists' });
    expect(await store().findUserByIdentity('i', 's')).toStrictEqual(first);
    await store().insertIdentity({ ...account, issuer: 'other', user_id: first.id });
    expect(await store().findUserByIdentity('other', 's')).toStrictEqual(first);
  });

  it('lets one of several simultaneous claims of an account win', async () => {
    const claim = () => store().insertIdentity({ issuer: 'i', subject: 's', user_id: randomUUID(), created_at: EARLY });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, claim));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(claim()).rejects.toMatchObject({ kind: 'conflict' });
  });
}
