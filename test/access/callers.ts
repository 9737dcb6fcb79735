import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { TestServer } from '../http/harness.ts';
import { type Person, person, withKey } from '../http/people.ts';
import type { CallerFacts, OrganizationRole, Role } from './row.ts';

export interface MatrixCaller extends CallerFacts {
  /** Whom the credentials name, also where they are refused. */
  readonly user_id: string;
  /** Another way to prove what somebody else proves, or both of two limits; tried in fewer relations. */
  readonly is_variant: boolean;
  /** The credentials. Keys made for one project are made anew for each. */
  headers(project_id: string): Promise<Readonly<Record<string, string>>>;
}

type Headers = Readonly<Record<string, string>>;

const KEY_HEADER = 'service-api-key';
const DAY_MS = 86_400_000;
const keyed = (api_key: string): Headers => ({ [KEY_HEADER]: api_key });
const bearing = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** Everyone who may come along: first whose credentials are good for nobody, then the others. */
export async function makeCallers(server: TestServer): Promise<readonly MatrixCaller[]> {
  return [...(await refusedCallers(server)), ...(await knownCallers(server)), ...(await limitedCallers(server))];
}

async function refusedCallers(server: TestServer): Promise<MatrixCaller[]> {
  const { accessStore, tokenIssuer, recentPrincipals } = server.cradle;
  const refused = (name: string, { id: user_id }: { id: string }, headers: Headers): MatrixCaller => ({
    ...plain(name, user_id),
    is_known: false,
    headers: async () => headers,
  });
  const one = await person(server);
  const other = await person(server);
  const claims = { user_id: one.id, token_version: 0, api_key_id: null };
  const token = await tokenIssuer.issue(claims);
  const disabled = await person(server);
  const unverified = await person(server);
  const revoked = await person(server);
  const revokedId = await getKeyId(server, revoked);
  await useOnce(disabled, unverified, revoked);
  const updated_at = new Date().toISOString();
  await accessStore.updateUser(disabled.id, { is_disabled: true, updated_at });
  await accessStore.updateUser(unverified.id, { email_is_verified: false, updated_at });
  await accessStore.removeApiKey(revokedId);
  recentPrincipals.forget();
  const expired = await withKey(server, one, { expires_at: new Date(Date.now() - DAY_MS).toISOString() });
  const getToken = (user_id: string, facts = {}) => tokenIssuer.issue({ ...claims, user_id, ...facts });
  return [
    refused('anonymous', one, {}),
    refused('unknown key', one, keyed(`tsk_${randomUUID()}`)),
    refused('revoked key', revoked, keyed(revoked.api_key)),
    refused('token got for a revoked key', revoked, bearing(await getToken(revoked.id, { api_key_id: revokedId }))),
    refused('expired key', one, keyed(expired.api_key)),
    refused('expired token', one, bearing(await twoDaysAgo(() => tokenIssuer.issue(claims)))),
    refused('token of an earlier version', one, bearing(await getToken(one.id, { token_version: -1 }))),
    refused('token of no user', one, bearing(await getToken(randomUUID()))),
    refused('key of a disabled user', disabled, keyed(disabled.api_key)),
    refused('token of a disabled user', disabled, bearing(await getToken(disabled.id))),
    refused('key of an unverified user', unverified, keyed(unverified.api_key)),
    refused('token to verify an e-mail address', one, bearing(await tokenIssuer.issueForVerification(one.email))),
    refused('two schemes naming different users', one, { ...keyed(other.api_key), ...bearing(token) }),
    refused('two schemes, one of them good', one, { ...keyed(one.api_key), ...bearing(`${token}x`) }),
  ];
}

async function knownCallers(server: TestServer): Promise<MatrixCaller[]> {
  const { accessStore, tokenIssuer, passwordHasher } = server.cradle;
  const people: readonly Person[] = await Promise.all(Array.from({ length: 7 }, () => person(server)));
  const [byKey, byToken, byKeyToken, byBoth, byPassword] = people as [Person, Person, Person, Person, Person];
  const manager = await person(server, { role: 'manager' });
  const reader = await person(server, { role: 'read_only' });
  const password = 'a long and secret sentence';
  const password_hash = await passwordHasher.hash(password);
  await accessStore.updateUser(byPassword.id, { password_hash, updated_at: new Date().toISOString() });
  const getToken = ({ id }: Person, api_key_id: string | null = null) =>
    tokenIssuer.issue({ user_id: id, token_version: 0, api_key_id });
  const pair = Buffer.from(`${byPassword.email}:${password}`).toString('base64');
  const admin = await person(server, { role: 'admin' });
  const caller = (name: string, { id }: { id: string }, headers: Headers, role: OrganizationRole = 'user'): MatrixCaller => ({
    ...plain(name, id),
    role,
    headers: async () => headers,
  });
  const variant = (...args: Parameters<typeof caller>): MatrixCaller => ({ ...caller(...args), is_variant: true });
  const keyToken = await getToken(byKeyToken, await getKeyId(server, byKeyToken));
  return [
    caller('API key', byKey, keyed(byKey.api_key)),
    variant('token got for a password', byToken, bearing(await getToken(byToken))),
    variant('token got for a key', byKeyToken, bearing(keyToken)),
    variant('Basic', byPassword, { authorization: `Basic ${pair}` }),
    variant('two schemes naming one user', byBoth, { ...keyed(byBoth.api_key), ...bearing(await getToken(byBoth)) }),
    caller('administrator', admin, keyed(admin.api_key), 'admin'),
    caller('manager', manager, keyed(manager.api_key), 'manager'),
    caller('read_only user', reader, keyed(reader.api_key), 'read_only'),
  ];
}

async function limitedCallers(server: TestServer): Promise<MatrixCaller[]> {
  const admin = await person(server, { role: 'admin' });
  const [insider, elsewhere, viewer, annotator, tokenViewer, tokenElsewhere] = await Promise.all(
    Array.from({ length: 6 }, () => person(server)),
  );
  const asToken = async (key: Person): Promise<Headers> => {
    const api_key_id = await getKeyId(server, key);
    return bearing(await server.cradle.tokenIssuer.issue({ user_id: key.id, token_version: 0, api_key_id }));
  };
  const limited = (
    name: string,
    owner: { readonly id: string; readonly email: string },
    { key_project = null, key_role = null, role = 'user' }: Partial<Pick<CallerFacts, 'key_project' | 'key_role' | 'role'>>,
    present = async ({ api_key }: Person) => keyed(api_key),
    is_variant = present === asToken || role === 'admin' || (key_project !== null && key_role !== null),
  ): MatrixCaller => ({
    ...plain(name, owner.id),
    is_variant,
    role,
    key_project,
    key_role,
    headers: async (project_id) => {
      const made_for = { this: project_id, another: randomUUID() };
      const key = { project_id: key_project && made_for[key_project], max_role: key_role as Role | null };
      return present(await withKey(server, owner, key));
    },
  });
  const beside = async (key: Person): Promise<Headers> => {
    const unlimited = await withKey(server, key);
    return { ...keyed(unlimited.api_key), ...(await asToken(key)) };
  };
  return [
    limited('unlimited key beside a token got for one with max_role viewer', viewer!, { key_role: 'viewer' }, beside, true),
    limited('unlimited key beside a token got for one for another project', elsewhere!, { key_project: 'another' }, beside, true),
    limited('key for this project', insider!, { key_project: 'this' }),
    limited('key for another project', elsewhere!, { key_project: 'another' }),
    limited('key with max_role viewer', viewer!, { key_role: 'viewer' }),
    limited('key with max_role annotator, for this project', annotator!, { key_role: 'annotator', key_project: 'this' }),
    limited('token got for a key with max_role viewer', tokenViewer!, { key_role: 'viewer' }, asToken),
    limited('token got for a key for another project', tokenElsewhere!, { key_project: 'another' }, asToken),
    limited("administrator's key with max_role viewer", admin, { role: 'admin', key_role: 'viewer' }),
    limited("administrator's key for another project", admin, { role: 'admin', key_project: 'another' }),
  ];
}

const plain = (name: string, user_id: string) => ({
  name,
  user_id,
  is_known: true,
  is_variant: false,
  role: 'user' as const,
  key_project: null,
  key_role: null,
});

/** So that a credential is among those proven a moment ago when it is taken away. */
async function useOnce(...people: readonly Person[]): Promise<void> {
  for (const { request } of people) {
    const { status } = await request('GET', '/v2/collaborator_roles');
    if (status !== 200) throw new Error(`a good key was answered ${status}`);
  }
}

async function getKeyId({ cradle }: TestServer, { api_key }: Person): Promise<string> {
  return (await cradle.accessStore.findApiKeyByHash(cradle.secrets.digest(api_key)))!.id;
}

async function twoDaysAgo<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY_MS });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}
