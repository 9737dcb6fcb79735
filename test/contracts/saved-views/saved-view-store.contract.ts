import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SavedView, ViewState } from '../../../core/saved-views/saved-view.ts';
import { newRun, type RecordStores } from '../traces/record-stores.ts';

const MOST = 3;
const AT = '2026-11-22T10:00:00.000Z';

export function savedViewStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`SavedViewStore, ${adapter}`, () => {
    let stores: RecordStores;
    let project_id: string;
    const [ann, bob] = [randomUUID(), randomUUID()];
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());

    const view = (facts: Partial<SavedView>): SavedView => {
      const filters = [{ type: 'text', column_id: 'input', operator: 'contains', value: 'refund' }];
      const state = ViewState.parse({ record_type: 'span', filters, columns: ['name'], time_range: { last_hours: 24 } });
      const made = { id: randomUUID(), project_id, created_by: ann, created_at: AT, updated_at: AT };
      return { ...made, name: 'slow', is_shared: false, state, ...facts };
    };
    const names = async (user: string, project = project_id) =>
      (await stores.savedViewStore.list(project, user)).map(({ name }) => name).sort();

    it('keeps views apart by project and by owner, and takes away what only a removed user could see', async () => {
      ({ project_id } = await newRun(stores));
      const [own, shared] = [view({ name: 'own' }), view({ name: 'shared', is_shared: true })];
      for (const each of [own, shared]) expect(await stores.savedViewStore.insert(each, MOST)).toBe(true);
      expect([await names(ann), await names(bob)]).toEqual([['own', 'shared'], ['shared']]);
      expect(await stores.savedViewStore.find(project_id, own.id, ann)).toStrictEqual(own);
      expect(await stores.savedViewStore.find(project_id, own.id, bob)).toBeUndefined();
      expect(await stores.savedViewStore.find(randomUUID(), shared.id, ann)).toBeUndefined();
      await stores.savedViewStore.update(project_id, own.id, { name: 'renamed' });
      expect(await stores.savedViewStore.find(project_id, own.id, ann)).toStrictEqual({ ...own, name: 'renamed' });
      await stores.savedViewStore.removePrivateOf(ann);
      expect(await names(ann)).toEqual(['shared']);
      expect(await stores.savedViewStore.remove(project_id, shared.id)).toBe(true);
      expect(await stores.savedViewStore.remove(project_id, shared.id)).toBe(false);
    });

    it('keeps no more of a user than there may be, also of those that are saved at once', async () => {
      ({ project_id } = await newRun(stores));
      const kept = await Promise.all(Array.from({ length: 5 }, () => stores.savedViewStore.insert(view({}), MOST)));
      expect(kept.filter(Boolean)).toHaveLength(MOST);
      expect(await stores.savedViewStore.insert(view({ created_by: bob }), MOST)).toBe(true);
    });
  });
}
