import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DatasetSearch, type DatasetSort, NEWEST_DATASETS_FIRST } from '../../../core/datasets/dataset-query.ts';
import { FIRST_NUMBERS, type StoredVersion } from '../../../core/datasets/version.ts';
import type { DatasetStores } from './dataset-stores.ts';

const [ADA, BEA] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const EARLY = '2026-01-02T03:04:05.678Z';
const LATE = '2026-01-02T03:04:05.678901Z';
const LATEST = '2026-01-03T00:00:00.000Z';
const ALL = { offset: 0, limit: 100 };

export function datasetStoreContract(adapter: string, open: () => Promise<DatasetStores>): void {
  describe(`DatasetStore, ${adapter}`, () => {
    let stores: DatasetStores;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());

    /** A dataset with one version. */
    async function make(
      facts: Partial<Parameters<DatasetStores['datasetStore']['insert']>[0]> = {},
      version: Partial<StoredVersion> = {},
    ): Promise<string> {
      const id = facts.id ?? randomUUID();
      const about = { name: `dataset ${id}`, draft: false, hidden: false, created_by: ADA, created_at: EARLY };
      await write(id, version);
      await stores.datasetStore.insert({ id, ...about, ...facts });
      return id;
    }

    async function write(dataset_id: string, facts: Partial<StoredVersion> = {}): Promise<void> {
      const counters = {
        rows_added: 0,
        rows_removed: 0,
        rows_edited: 0,
        columns_added: 0,
        columns_removed: 0,
        columns_renamed: 0,
      };
      const about = { id: randomUUID(), name: null, created_at: EARLY, created_by: ADA, num_rows: 0, columns: [] };
      const version = { dataset_id, version_index: 1, ...about, ...counters, ...facts };
      await stores.datasetContentStore.insertVersion(version, [], FIRST_NUMBERS);
    }

    async function makeProject(): Promise<string> {
      const id = randomUUID();
      const facts = { name: id, type: 'gen_ai', created_by: ADA, description: null, type_is_default: false } as const;
      await stores.projectStore.insertProject({ id, ...facts, labels: [], created_at: EARLY, updated_at: EARLY });
      return id;
    }

    const list = async (search: object, projects?: string[], slice = ALL): Promise<string[]> => {
      const { filters, sort } = DatasetSearch.parse(search);
      return (await stores.datasetStore.list(filters, sort, projects, slice)).map(({ id }) => id);
    };
    const sortBy = (sort: DatasetSort): Promise<string[]> => list({ sort });

    it('finds a dataset with what its newest version says', async () => {
      const id = await make(
        { name: 'päper % _ \\ 🦜', draft: true, hidden: true },
        { num_rows: 1, columns: [{ key: 1, name: 'old' }] },
      );
      const columns = [
        { key: 3, name: 'b' },
        { key: 2, name: 'a "\'' },
      ];
      await write(id, { version_index: 2, num_rows: 7, columns, created_at: LATE });
      expect(await stores.datasetStore.find(id)).toStrictEqual({
        id,
        name: 'päper % _ \\ 🦜',
        draft: true,
        hidden: true,
        created_by: ADA,
        created_at: EARLY,
        updated_at: LATE,
        current_version_index: 2,
        num_rows: 7,
        column_names: ['b', 'a "\''],
      });
    });

    it('returns undefined for an unknown dataset', async () => {
      expect(await stores.datasetStore.find(randomUUID())).toBeUndefined();
      expect(await stores.datasetStore.update(randomUUID(), { name: 'x', updated_at: EARLY })).toBeUndefined();
      expect(await stores.datasetStore.remove(randomUUID())).toBe(false);
    });

    it('refuses a name that is taken, without breaking off what is under way', async () => {
      await make({ name: 'taken' });
      const second = randomUUID();
      await stores.transactions.run(async () => {
        await expect(make({ id: second, name: 'taken' })).rejects.toMatchObject({ kind: 'conflict', code: 'dataset_exists' });
        const facts = { id: second, draft: false, hidden: false, created_by: ADA, created_at: EARLY };
        await stores.datasetStore.insert({ ...facts, name: 'Taken' });
      });
      expect(await stores.datasetStore.find(second)).toMatchObject({ name: 'Taken' });
      expect(await stores.datasetStore.takenNames(['taken', 'Taken', 'TAKEN'])).toEqual(
        expect.arrayContaining(['taken', 'Taken']),
      );
      expect(await stores.datasetStore.takenNames(['TAKEN'])).toEqual([]);
      const renamed = stores.datasetStore.update(second, { name: 'taken', updated_at: EARLY });
      await expect(renamed).rejects.toMatchObject({ kind: 'conflict', code: 'dataset_exists' });
    });

    it('changes what it is told to', async () => {
      const id = await make({ name: 'old', draft: true });
      const before = await stores.datasetStore.find(id);
      expect(await stores.datasetStore.update(id, { draft: false, updated_at: LATE })).toStrictEqual({
        ...before,
        draft: false,
        updated_at: LATE,
      });
      expect(await stores.datasetStore.update(id, { name: 'new', updated_at: LATEST })).toMatchObject({ name: 'new' });
      expect(await stores.datasetStore.update(id, { name: 'new', updated_at: LATEST })).toMatchObject({ name: 'new' });
    });

    it('removes a dataset with its content and uses, and nothing of others', async () => {
      const [id, other, project_id] = [await make({ name: 'gone' }), await make(), await makeProject()];
      await stores.datasetStore.use({ dataset_id: id, project_id }, EARLY);
      await stores.datasetStore.use({ dataset_id: other, project_id }, EARLY);
      expect(await stores.datasetStore.remove(id)).toBe(true);
      expect(await stores.datasetStore.find(id)).toBeUndefined();
      expect(await stores.datasetContentStore.findHead(id)).toBeUndefined();
      expect(await stores.datasetStore.listUses([id, other])).toEqual([{ dataset_id: other, project_id }]);
      await make({ name: 'gone' });
    });

    it('lists by every filter', async () => {
      const [a, b] = [await make({ name: 'Alpha', draft: true }), await make({ name: 'beta' })];
      await make({ name: 'alpha too', hidden: true });
      const [used, unused] = [await makeProject(), await makeProject()];
      await stores.datasetStore.use({ dataset_id: a, project_id: used }, EARLY);
      const by = (name: string, operator: string | undefined, value: unknown) => list({ filters: [{ name, operator, value }] });
      expect(await by('name', 'eq', 'Alpha')).toEqual([a]);
      expect(await by('name', 'contains', 'alpha')).toEqual([]);
      expect(await by('id', 'one_of', [b])).toEqual([b]);
      expect(await by('draft', 'eq', true)).toEqual([a]);
      expect(await by('draft', 'ne', true)).toEqual([b]);
      expect(await by('used_in_project', undefined, used)).toEqual([a]);
      expect(await by('used_in_project', undefined, unused)).toEqual([]);
      expect(await by('not_in_project', undefined, used)).toEqual([b]);
      expect((await by('not_in_project', undefined, unused)).sort()).toEqual([a, b].sort());
    });

    it('orders by every name, ties by id', async () => {
      const a = await make({ id: '0a000000-0000-4000-8000-00000000000a', name: 'b', created_at: LATE }, { num_rows: 10 });
      const b = await make({ id: '0b000000-0000-4000-8000-00000000000b', name: 'a', created_at: EARLY }, { num_rows: 9 });
      const c = await make({ id: '0c000000-0000-4000-8000-00000000000c', name: 'B', created_at: EARLY }, { num_rows: 9 });
      await write(b, { version_index: 2, num_rows: 9, created_by: BEA, created_at: LATEST });
      await write(c, { version_index: 2, num_rows: 9, created_by: BEA, created_at: LATE });
      const [project, other] = [await makeProject(), await makeProject()];
      await stores.datasetStore.use({ dataset_id: c, project_id: project }, EARLY);
      await stores.datasetStore.use({ dataset_id: c, project_id: other }, EARLY);
      await stores.datasetStore.use({ dataset_id: a, project_id: project }, LATE);
      expect(await sortBy({ name: 'name', ascending: true })).toEqual([c, b, a]);
      expect(await sortBy({ name: 'created_at', ascending: true })).toEqual([b, c, a]);
      expect(await sortBy(NEWEST_DATASETS_FIRST)).toEqual([a, b, c]);
      expect(await sortBy({ name: 'updated_at', ascending: false })).toEqual([b, a, c]);
      expect(await sortBy({ name: 'num_rows', ascending: false })).toEqual([a, b, c]);
      expect(await sortBy({ name: 'project_count', ascending: false })).toEqual([c, a, b]);
      expect(await sortBy({ name: 'project_last_used_at', ascending: false, value: project })).toEqual([a, c, b]);
      expect(await sortBy({ name: 'project_last_used_at', ascending: true, value: project })).toEqual([c, a, b]);
      expect(await sortBy({ name: 'last_edited_by_user_at', ascending: false, value: BEA })).toEqual([b, c, a]);
      expect(await sortBy({ name: 'last_edited_by_user_at', ascending: true, value: BEA })).toEqual([c, b, a]);
      const byCount = { sort: { name: 'project_count', ascending: false } };
      expect(await list(byCount, [other])).toEqual([c, a, b]);
      expect(await list(byCount, [])).toEqual([a, b, c]);
      expect(await list(byCount, [project], { offset: 1, limit: 1 })).toEqual([c]);
    });

    it('forgets uses in projects that are gone, and notes a use once', async () => {
      const [dataset_id, project_id] = [await make(), await makeProject()];
      await stores.datasetStore.use({ dataset_id, project_id }, EARLY);
      await stores.datasetStore.use({ dataset_id, project_id }, LATE);
      expect(await stores.datasetStore.listUses([dataset_id])).toEqual([{ dataset_id, project_id }]);
      await stores.projectStore.removeProject(project_id);
      expect(await stores.datasetStore.listUses([dataset_id])).toEqual([]);
      expect(await list({ filters: [{ name: 'used_in_project', value: project_id }] })).toEqual([]);
    });

    it('lets one after the other change the content', async () => {
      const id = await make();
      const seen: string[] = [];
      const started = Promise.withResolvers<void>();
      const slow = stores.datasetContentStore.exclusively(id, async () => {
        started.resolve();
        seen.push('first begins');
        await new Promise((resolve) => setTimeout(resolve, 50));
        seen.push('first ends');
      });
      await started.promise;
      await stores.datasetContentStore.exclusively(id, async () => void seen.push('second'));
      await slow;
      expect(seen).toEqual(['first begins', 'first ends', 'second']);
    });

    it('does not wait for ever, and is free again after a failure', async () => {
      const [id, other] = [await make(), await make()];
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const holding = stores.datasetContentStore.exclusively(id, () => {
        begun.resolve();
        return held.promise;
      });
      await begun.promise;
      const late = stores.datasetContentStore.exclusively(id, async () => 'never');
      await expect(late).rejects.toMatchObject({ kind: 'locked', code: 'dataset_locked' });
      expect(await stores.datasetContentStore.exclusively(other, async () => 'not held')).toBe('not held');
      held.resolve();
      await holding;
      await expect(stores.datasetContentStore.exclusively(id, () => Promise.reject(new Error('failed')))).rejects.toThrow(
        'failed',
      );
      expect(await stores.datasetContentStore.exclusively(id, async () => 'free')).toBe('free');
    });
  });
}
