import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresGroupStore } from '../../../adapters/postgres/access/postgres-group-store.ts';
import { PostgresProvisioningStore } from '../../../adapters/postgres/access/postgres-provisioning-store.ts';
import type { GroupRole, StoredMember } from '../../../core/access/groups/group.ts';
import { groupStoreContract } from '../../contracts/access/group-store.contract.ts';
import { provisioningStoreContract } from '../../contracts/access/provisioning-store.contract.ts';
import { type MigratedDatabase, openMigratedDatabase } from '../../setup/migrated-database.ts';
import { meet } from '../../setup/two-transactions.ts';

const NOW = '2026-01-02T03:04:05.678Z';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await openMigratedDatabase();
});
afterAll(() => database.close());

groupStoreContract('PostgreSQL', async () => {
  await database.empty('groups', 'group_members');
  return { port: new PostgresGroupStore(database), close: async () => {} };
});

provisioningStoreContract('PostgreSQL', async () => {
  await database.empty('provisioned_resources');
  return { port: new PostgresProvisioningStore(database), close: async () => {} };
});

describe('two transactions on the members of a group', () => {
  const aMember = (group_id: string, role: GroupRole): StoredMember => {
    return { id: randomUUID(), group_id, user_id: randomUUID(), role, created_at: NOW };
  };
  async function aGroup(store: PostgresGroupStore): Promise<string> {
    const id = randomUUID();
    const rest = { description: '', visibility: 'private', created_by: randomUUID(), created_at: NOW, updated_at: NOW } as const;
    await store.insert({ id, name: id, ...rest });
    return id;
  }

  it('ask for the maintainers one after the other, and the second sees what the first left', async () => {
    const store = new PostgresGroupStore(database);
    const id = await aGroup(store);
    const [one, two, added] = [aMember(id, 'maintainer'), aMember(id, 'maintainer'), aMember(id, 'maintainer')];
    await store.putMembers([one, two]);
    const { result, waited } = await meet(database.session, {
      first: () => store.holdMaintainers(id),
      beforeEnd: async () => {
        await store.removeMember(id, one.user_id);
        await store.putMembers([added]);
      },
      second: () => store.holdMaintainers(id),
    });
    expect(waited).toBe(true);
    expect(result).toEqual([two.user_id, added.user_id].sort());
  });

  it('wait to change members that the other one holds', async () => {
    const store = new PostgresGroupStore(database);
    const id = await aGroup(store);
    const [one, two, three] = [aMember(id, 'maintainer'), aMember(id, 'maintainer'), aMember(id, 'maintainer')];
    await store.putMembers([one, two, three]);
    const changes: (() => Promise<unknown>)[] = [
      () => store.putMembers([aMember(id, 'member')]),
      () => store.updateMember(id, one.user_id, 'member'),
      () => store.removeMember(id, two.user_id),
      () => store.removeUserEverywhere(three.user_id),
      () => store.remove(id),
    ];
    for (const second of changes) {
      const { waited } = await meet(database.session, { first: () => store.holdMaintainers(id), second });
      expect(waited).toBe(true);
    }
  });

  it('do not wait for each other on different groups', async () => {
    const store = new PostgresGroupStore(database);
    const [one, two] = [await aGroup(store), await aGroup(store)];
    const { waited } = await meet(database.session, {
      first: () => store.holdMaintainers(one),
      second: () => store.holdMaintainers(two),
    });
    expect(waited).toBe(false);
  });
});
