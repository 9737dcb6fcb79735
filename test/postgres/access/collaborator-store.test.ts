import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresCollaboratorStore } from '../../../adapters/postgres/access/postgres-collaborator-store.ts';
import type { UserCollaboration } from '../../../core/access/groups/collaborator.ts';
import type { CollaboratorRole, ObjectRef } from '../../../core/access/role.ts';
import { collaboratorStoreContract } from '../../contracts/access/collaborator-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { meet } from '../../setup/two-transactions.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

collaboratorStoreContract('PostgreSQL', async () => {
  await database.empty('user_collaborators', 'group_collaborators', 'shared_objects');
  return { port: new PostgresCollaboratorStore(database), close: async () => {} };
});

describe('two transactions on the owners of an object', () => {
  const aUser = (role: CollaboratorRole): UserCollaboration => {
    return { id: randomUUID(), user_id: randomUUID(), role, created_at: '2026-01-02T03:04:05.678Z' };
  };
  const project = (): ObjectRef => ({ kind: 'project', id: randomUUID() });
  const opened = () => new PostgresCollaboratorStore(database);

  it('ask for them one after the other, and the second sees what the first left', async () => {
    const [store, object, one, two] = [opened(), project(), aUser('owner'), aUser('owner')];
    await store.putUsers(object, [one, two]);
    const { result, waited } = await meet(database.session, {
      first: () => store.holdOwners(object),
      beforeEnd: () => store.removeUser(object, one.user_id),
      second: () => store.holdOwners(object),
    });
    expect(waited).toBe(true);
    expect(result).toEqual([two.user_id]);
  });

  it('see an owner who was added while they waited', async () => {
    const [store, object, one, two] = [opened(), project(), aUser('owner'), aUser('owner')];
    await store.putUsers(object, [one]);
    const { result } = await meet(database.session, {
      first: () => store.holdOwners(object),
      beforeEnd: () => store.putUsers(object, [two]),
      second: () => store.holdOwners(object),
    });
    expect(result).toEqual([one.user_id, two.user_id].sort());
  });

  it('hold an owner who took the place of all others while they waited', async () => {
    const [store, object, one, two] = [opened(), project(), aUser('owner'), aUser('owner')];
    await store.putUsers(object, [one]);
    const outside = AsyncLocalStorage.snapshot();
    let third: Promise<unknown> | undefined;
    let isThirdThrough = false;
    const { result } = await meet(database.session, {
      first: () => store.holdOwners(object),
      beforeEnd: async () => {
        await store.putUsers(object, [two]);
        await store.removeUser(object, one.user_id);
      },
      second: async () => {
        const owners = await store.holdOwners(object);
        third = outside(() => store.holdOwners(object)).then(() => {
          isThirdThrough = true;
        });
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { owners, isThirdThrough };
      },
    });
    await third;
    expect(result).toEqual({ owners: [two.user_id], isThirdThrough: false });
  });

  it('wait to add somebody or to change a role while the other one holds them', async () => {
    const [store, object, one, viewer] = [opened(), project(), aUser('owner'), aUser('viewer')];
    await store.putUsers(object, [one, viewer]);
    for (const user of [aUser('owner'), { ...viewer, role: 'owner' as const }, { ...one, role: 'viewer' as const }]) {
      const { waited } = await meet(database.session, {
        first: () => store.holdOwners(object),
        second: () => store.putUsers(object, [user]),
      });
      expect(waited).toBe(true);
    }
  });

  it('do not wait for each other on different objects', async () => {
    const [store, one, two] = [opened(), project(), project()];
    for (const object of [one, two]) await store.putUsers(object, [aUser('owner')]);
    const { waited } = await meet(database.session, {
      first: () => store.holdOwners(one),
      second: () => store.holdOwners(two),
    });
    expect(waited).toBe(false);
  });

  it('wait for who asks what a user owns alone', async () => {
    const [store, object, user, other] = [opened(), project(), aUser('owner'), aUser('owner')];
    await store.putUsers(object, [user, other]);
    const { result, waited } = await meet(database.session, {
      first: () => store.holdOwners(object),
      beforeEnd: () => store.removeUser(object, other.user_id),
      second: () => store.holdOwnedAlone(user.user_id),
    });
    expect(waited).toBe(true);
    expect(result).toStrictEqual([object]);
  });

  it('give nothing new to a user who is about to be removed', async () => {
    const [store, user] = [opened(), aUser('owner')];
    await database.session.sql(
      `insert into users (id, email, first_name, last_name, role, auth_method, email_is_verified, is_disabled, token_version, created_at, updated_at)
       values ($1, 'x@example.org', '', '', 'user', 'email', true, false, 0, now(), now())`,
      [user.user_id],
    );
    const { waited } = await meet(database.session, {
      first: () => store.holdOwnedAlone(user.user_id),
      second: () => store.putUsers(project(), [user]),
    });
    expect(waited).toBe(true);
  });

  it('never lock each other out, whatever they take from whom', async () => {
    const store = opened();
    const users = Array.from({ length: 4 }, () => aUser('owner'));
    const objects = Array.from({ length: 6 }, project);
    for (let round = 0; round < 5; round += 1) {
      for (const object of objects) await store.putUsers(object, users);
      const leaving = users.map(({ user_id }) => () => {
        return store.holdOwnedAlone(user_id).then(() => store.removeUserEverywhere(user_id));
      });
      const sharing = objects.map((object) => () => {
        return store.holdOwners(object).then(() => store.putUsers(object, users.toReversed()));
      });
      const ending = objects.map((object) => () => store.removeObject(object));
      const all = [...leaving, ...sharing, ...ending].map((work) => database.session.run<unknown>(work));
      await expect(Promise.all(all)).resolves.toHaveLength(16);
    }
  });
});
