import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProvisionedResource, ProvisioningStore } from '../../../core/access/provisioning/provisioning-store.ts';
import type { Opened } from '../opened.ts';

function aUser(facts: Partial<ProvisionedResource> = {}): ProvisionedResource {
  const id = facts.id ?? randomUUID();
  const names = { user_name: `User-${id}`, user_name_key: `user-${id}`, display_name: 'Ada 🦜' };
  return { kind: 'user', id, external_id: null, ...names, ...facts };
}

const aGroup = (facts: Partial<ProvisionedResource> = {}): ProvisionedResource =>
  aUser({ kind: 'group', user_name: null, user_name_key: null, display_name: null, ...facts });

export function provisioningStoreContract(adapter: string, open: () => Promise<Opened<ProvisioningStore>>): void {
  describe(`ProvisioningStore, ${adapter}`, () => {
    let opened: Opened<ProvisioningStore>;
    let store: ProvisioningStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.port;
    });
    afterEach(() => opened.close());

    it('finds what was put last, by kind and id', async () => {
      const [user, group] = [aUser(), aGroup({ external_id: 'x' })];
      await store.put({ ...user, display_name: 'before', user_name: 'before', user_name_key: 'before' });
      await store.put(user);
      await store.put(group);
      expect(await store.findMany('user', [user.id, group.id, randomUUID()])).toStrictEqual([user]);
      expect(await store.findMany('group', [group.id])).toStrictEqual([group]);
      expect(await store.findMany('group', [])).toEqual([]);
    });

    it('hands out copies', async () => {
      const user = aUser();
      await store.put(user);
      const [found] = await store.findMany('user', [user.id]);
      Object.assign(found!, { external_id: 'changed' });
      expect(await store.findMany('user', [user.id])).toStrictEqual([user]);
    });

    it('refuses the user name of another user and leaves both as they are', async () => {
      const [one, other] = [aUser(), aUser()];
      await store.put(one);
      await store.put(other);
      const taking = { ...other, user_name_key: one.user_name_key };
      await expect(store.put(taking)).rejects.toMatchObject({ kind: 'conflict', code: 'user_exists' });
      expect(await store.findByUserName(other.user_name_key!)).toStrictEqual(other);
      expect(await store.findByUserName(one.user_name_key!)).toStrictEqual(one);
      expect(await store.findByUserName('nobody')).toBeUndefined();
    });

    it('lists those of an external id within a kind, by id, no more than asked for', async () => {
      const users = [aUser({ external_id: 'same' }), aUser({ external_id: 'same' })].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (const one of [...users].reverse()) await store.put(one);
      await store.put(aUser({ external_id: 'other' }));
      await store.put(aGroup({ external_id: 'same' }));
      expect(await store.listByExternalId('user', 'same', 10)).toStrictEqual(users);
      expect(await store.listByExternalId('user', 'same', 1)).toStrictEqual(users.slice(0, 1));
      expect(await store.listByExternalId('user', 'SAME', 10)).toEqual([]);
    });

    it('removes one, and an unknown one without an error', async () => {
      const [user, group] = [aUser(), aGroup()];
      await store.put(user);
      await store.put({ ...group, id: user.id });
      await store.remove('user', user.id);
      await store.remove('user', user.id);
      expect(await store.findMany('user', [user.id])).toEqual([]);
      expect(await store.findMany('group', [user.id])).toHaveLength(1);
    });
  });
}
