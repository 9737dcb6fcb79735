import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredRoute } from '../../../core/trends/routing/notification-route.ts';
import { newRun, type RecordStores } from '../traces/record-stores.ts';

const NOW = '2026-01-02T03:04:05.678Z';
const NASTY = 'half \ud83e private \uf8ff \u{1f99c}';
const sealed = (key_id: string) => ({ key_id, key: `key ${randomUUID()}`, fields: [{ path: ['webhook_secret'], text: 'v1.x' }] });

/** The stores are opened once; every test works in a project of its own. */
export function notificationRouteStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`NotificationRouteStore, ${adapter}`, () => {
    let stores: RecordStores;
    let project_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      ({ project_id } = await newRun(stores));
    });
    afterAll(() => stores.close());

    const inserted = async (name = 'one', created_at = NOW): Promise<StoredRoute> => {
      const channel = { channel: 'webhook', channel_settings: { url: 'https://example.org/', note: NASTY } };
      const facts = { created_by: randomUUID(), created_at, updated_at: NOW };
      const route: StoredRoute = {
        ...{ project_id, id: randomUUID() },
        settings: { name, severities: ['warning', 'critical'], ...channel, ...facts },
      };
      await stores.notificationRouteStore.insert(route, sealed('one'));
      return route;
    };

    it('finds what was inserted, within its project, and lists it by age', async () => {
      const newer = await inserted(NASTY, '2026-01-02T03:04:05.679Z');
      const older = await inserted('older');
      expect(await stores.notificationRouteStore.find(project_id, newer.id)).toStrictEqual(newer);
      expect(await stores.notificationRouteStore.find(randomUUID(), newer.id)).toBeUndefined();
      expect(await stores.notificationRouteStore.list(project_id)).toStrictEqual([older, newer]);
      expect(await stores.notificationRouteStore.list(randomUUID())).toEqual([]);
    });

    it('changes and removes the one that is meant, in its project', async () => {
      const [route, other] = [await inserted(), await inserted('other')];
      const settings = { ...route.settings, name: 'changed' };
      expect(await stores.notificationRouteStore.update(randomUUID(), route.id, settings)).toBeUndefined();
      expect(await stores.notificationRouteStore.update(project_id, route.id, settings)).toStrictEqual({ ...route, settings });
      expect(await stores.notificationRouteStore.remove(randomUUID(), route.id)).toBe(false);
      expect(await stores.notificationRouteStore.remove(project_id, route.id)).toBe(true);
      expect(await stores.notificationRouteStore.remove(project_id, route.id)).toBe(false);
      expect(await stores.notificationRouteStore.findSecrets(project_id, route.id)).toBeUndefined();
      expect(await stores.notificationRouteStore.list(project_id)).toStrictEqual([other]);
    });

    it('keeps secrets beside routes and finds those of other keys', async () => {
      const { id } = await inserted();
      const store = stores.notificationRouteStore;
      const before = (await store.findSecrets(project_id, id))!;
      expect(before).toMatchObject({ key_id: 'one', fields: [{ path: ['webhook_secret'], text: 'v1.x' }] });
      expect(await store.findSecrets(randomUUID(), id)).toBeUndefined();
      const idsOfOthers = async () => (await store.listOfOtherKeys('two', 1000)).map((one) => one.id);
      expect(await idsOfOthers()).toContain(id);
      await store.replaceSecrets(id, { ...before, key: 'another' }, sealed('two'));
      expect(await store.findSecrets(project_id, id)).toEqual(before);
      await store.replaceSecrets(id, before, sealed('two'));
      expect(await idsOfOthers()).not.toContain(id);
      expect(await store.keyIds()).toContain('two');
      await store.changeSecrets(randomUUID(), id, () => sealed('four'));
      expect(await store.findSecrets(project_id, id)).toMatchObject({ key_id: 'two' });
      await store.changeSecrets(project_id, id, ({ key_id }) => sealed(`${key_id} and three`));
      expect(await store.findSecrets(project_id, id)).toMatchObject({ key_id: 'two and three' });
    });

    it('goes with its project', async () => {
      const { id } = await inserted();
      const { project_id: another } = await newRun(stores);
      const remove = async (of: string) => {
        await stores.traceStore.removeAll(of);
        await stores.projectStore.removeProject(of);
      };
      await remove(another);
      expect(await stores.notificationRouteStore.find(project_id, id)).toBeDefined();
      await remove(project_id);
      expect(await stores.notificationRouteStore.find(project_id, id)).toBeUndefined();
      expect((await stores.notificationRouteStore.listOfOtherKeys('none', 1000)).map((one) => one.id)).not.toContain(id);
    });
  });
}
