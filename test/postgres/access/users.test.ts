import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryMailer } from '../../../adapters/memory/access/memory-mailer.ts';
import { PostgresAccessStore } from '../../../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../../../adapters/postgres/access/postgres-collaborator-store.ts';
import { PostgresGroupStore } from '../../../adapters/postgres/access/postgres-group-store.ts';
import { PostgresLoginStore } from '../../../adapters/postgres/access/postgres-login-store.ts';
import { PostgresProvisioningStore } from '../../../adapters/postgres/access/postgres-provisioning-store.ts';
import { PostgresBookmarkStore } from '../../../adapters/postgres/bookmarks/postgres-bookmark-store.ts';
import { PostgresSavedViewStore } from '../../../adapters/postgres/saved-views/postgres-saved-view-store.ts';
import { Argon2Passwords } from '../../../adapters/security/argon2-passwords.ts';
import { JwtTokenIssuer } from '../../../adapters/security/jwt-token-issuer.ts';
import { NodeSecrets } from '../../../adapters/security/node-secrets.ts';
import { AuditTrail } from '../../../core/access/audit/audit-trail.ts';
import { Authorizer } from '../../../core/access/authorizer.ts';
import { RateLimiter } from '../../../core/access/login/rate-limiter.ts';
import { RecentPrincipals } from '../../../core/access/login/recent-principals.ts';
import { UserProvisioningService } from '../../../core/access/provisioning/user-provisioning-service.ts';
import { EmailVerificationService } from '../../../core/access/users/email-verification-service.ts';
import { NewUser } from '../../../core/access/users/user.ts';
import { UserRemoval } from '../../../core/access/users/user-removal.ts';
import { UserService } from '../../../core/access/users/user-service.ts';
import { VerificationMails } from '../../../core/access/users/verification-mails.ts';
import { someone } from '../../setup/access.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { silent } from '../../setup/silent.ts';

const root = someone({ role: 'admin' });
const { origin } = root;

let database: MigratedDatabase;
let wired: ReturnType<typeof services>;
beforeAll(async () => {
  database = await openMigratedDatabase();
  wired = services();
});
afterAll(() => database.close());

function services() {
  const { session } = database;
  const stores = {
    accessStore: new PostgresAccessStore({ session }),
    loginStore: new PostgresLoginStore({ session }),
    collaboratorStore: new PostgresCollaboratorStore({ session }),
    groupStore: new PostgresGroupStore({ session }),
    provisioningStore: new PostgresProvisioningStore({ session }),
    auditStore: new PostgresAuditStore({ session }),
    savedViewStore: new PostgresSavedViewStore({ session }),
    bookmarkStore: new PostgresBookmarkStore({ session }),
  };
  const ambient = { clock: () => new Date(), newId: () => randomUUID(), secrets: new NodeSecrets(), log: silent };
  const parts = { ...stores, ...ambient, transactions: session, passwordHasher: new Argon2Passwords() };
  const mailer = new MemoryMailer();
  const deps = {
    ...parts,
    authorizer: new Authorizer(parts),
    auditTrail: new AuditTrail(parts),
    rateLimiter: new RateLimiter(parts),
    recentPrincipals: new RecentPrincipals(parts),
    verificationMails: new VerificationMails({ ...parts, mailer, publicUrl: undefined }),
    tokenIssuer: new JwtTokenIssuer(['a secret of the tests, long enough']),
    accessService: { callerByToken: async () => undefined },
  };
  const userRemoval = new UserRemoval(deps);
  const users = new UserService({ ...deps, userRemoval });
  const provisioning = new UserProvisioningService({ ...deps, userService: users });
  return { ...deps, users, provisioning, mailer, userRemoval, verification: new EmailVerificationService(deps) };
}

const create = (facts: object = {}) =>
  wired.users.createUser(root, NewUser.parse({ email: `${randomUUID()}@example.org`, ...facts }));
const toAudit = (object_id: string) => wired.auditStore.list({ object_id }, { offset: 0, limit: 100 });

describe('users on PostgreSQL', () => {
  it('keep one administrator when two take each other’s role away at once', async () => {
    const [one, two] = [await create({ role: 'admin' }), await create({ role: 'admin' })];
    const demote = (actor: string, target: string) =>
      wired.users.updateUser(someone({ user_id: actor, role: 'admin' }), target, { role: 'user' });
    const outcomes = await Promise.allSettled([demote(one.id, two.id), demote(two.id, one.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused!.reason).toMatchObject({ code: 'last_admin' });
    expect(await wired.accessStore.holdAdmins()).toHaveLength(1);
  });

  it('stay whole when a part of their deletion fails', async () => {
    const [deleting, leaving] = [await create({ role: 'admin' }), await create()];
    const object = { kind: 'project' as const, id: randomUUID() };
    const row = { id: randomUUID(), user_id: leaving.id, role: 'owner' as const, created_at: new Date().toISOString() };
    await wired.collaboratorStore.putUsers(object, [row]);
    const accessStore = Object.create(wired.accessStore, {
      removeUser: { value: async () => Promise.reject(new Error('the disk is on fire')) },
    });
    const userRemoval = new UserRemoval({ ...wired, accessStore });
    const caller = someone({ user_id: deleting.id, role: 'admin' });
    await expect(new UserService({ ...wired, userRemoval }).deleteUser(caller, leaving.id)).rejects.toThrow('on fire');
    expect(await wired.collaboratorStore.holdOwners(object)).toEqual([leaving.id]);
    expect(await toAudit(object.id)).toEqual([]);
    await wired.users.deleteUser(caller, leaving.id);
    expect(await wired.collaboratorStore.holdOwners(object)).toEqual([deleting.id]);
    expect(await wired.accessStore.findUser(leaving.id)).toBeUndefined();
  });

  it('are provisioned once, however many requests for one come at the same moment', async () => {
    const before = await wired.accessStore.countUsers();
    const name = randomUUID();
    const facts = {
      external_id: name,
      display_name: null,
      first_name: '',
      last_name: '',
      role: 'user',
      is_active: true,
    } as const;
    const makes = Array.from({ length: 4 }, () => {
      const email = `${randomUUID()}@example.org`;
      return wired.provisioning.create(root, { ...facts, user_name: name, email });
    });
    const outcomes = await Promise.allSettled(makes);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'user_exists' });
    expect(await wired.accessStore.countUsers()).toBe(before + 1);
    const found = await wired.provisioning.search(root, [{ name: 'external_id', value: name }], { offset: 0, limit: 10 });
    expect(found.items).toMatchObject([{ user_name: name, external_id: name }]);
    await wired.provisioning.remove(root, found.items[0]!.id);
    expect(await wired.provisioningStore.findByUserName(name)).toBeUndefined();
  });

  it('refuse a taken e-mail and keep nothing of the attempt', async () => {
    const { email } = await create();
    const before = await wired.accessStore.countUsers();
    await expect(create({ email })).rejects.toMatchObject({ code: 'user_exists' });
    expect(await wired.accessStore.countUsers()).toBe(before);
  });

  it('prove their address once, however many complete at the same moment', async () => {
    const { id, email } = await create({ email_is_verified: false });
    await wired.verificationMails.settled();
    const code = /tsv_\w+/.exec(wired.mailer.sent.at(-1)!.text)![0];
    const token = await wired.verification.begin(origin, email, undefined);
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => wired.verification.complete(origin, code, token)));
    expect(outcomes).toHaveLength(4);
    expect((await toAudit(id)).filter(({ action }) => action === 'email.verified')).toHaveLength(1);
    await wired.verificationMails.settled();
  });

  it('cannot use a code that came with the token of another address', async () => {
    const [mine, theirs] = [await create({ email_is_verified: false }), await create({ email_is_verified: false })];
    await wired.verificationMails.settled();
    const code = /tsv_\w+/.exec(wired.mailer.sent.find(({ to }) => to === theirs.email)!.text)![0];
    const refused = { code: 'verification_refused' };
    const getToken = ({ email }: { email: string }) => wired.tokenIssuer.issueForVerification(email);
    await expect(wired.verification.complete(origin, code, await getToken(mine))).rejects.toMatchObject(refused);
    await expect(wired.verification.complete(origin, code, await getToken(theirs))).rejects.toMatchObject(refused);
  });
});
