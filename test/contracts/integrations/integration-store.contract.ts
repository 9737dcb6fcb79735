import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredIntegration } from '../../../core/integrations/integration.ts';
import type { IntegrationStore } from '../../../core/integrations/integration-store.ts';
import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import type { Opened } from '../opened.ts';

const NASTY = 'NUL \0 half \ud83e private \uf8ff \u{1f99c}';

function integration(facts: Partial<StoredIntegration> = {}): StoredIntegration {
  const id = facts.id ?? randomUUID();
  return {
    id,
    name: `integration ${id}`,
    provider: 'gateway',
    settings: { endpoint: 'https://example.org', nested: { list: [1, NASTY] } },
    secrets: { key_id: 'one', key: `v1.${id}`, fields: [{ path: ['token', 'inner'], text: 'v1.sealed' }] },
    is_disabled: false,
    created_by: randomUUID(),
    created_at: '2026-01-02T03:04:05.678901Z',
    updated_at: '2026-01-02T03:04:05.678901Z',
    ...facts,
  };
}
const byIds = (...values: string[]): IdFilter<'id'>[] => [{ family: 'id', name: 'id', operator: 'one_of', values }];

export function integrationStoreContract(adapter: string, open: () => Promise<Opened<IntegrationStore>>): void {
  describe(`IntegrationStore, ${adapter}`, () => {
    let store: IntegrationStore;
    beforeEach(async () => {
      store = (await open()).port;
    });
    const inserted = async (facts: Partial<StoredIntegration> = {}) => {
      const one = integration(facts);
      await store.insert(one);
      return one;
    };

    it('finds what was inserted, by id and by its maker and name', async () => {
      const one = await inserted({ name: 'mine' });
      await inserted({ name: 'mine' });
      expect(await store.find(one.id)).toStrictEqual(one);
      expect(await store.findByName(one.created_by, 'mine')).toStrictEqual(one);
      expect(await store.findByName(one.created_by, 'Mine')).toBeUndefined();
      expect(await store.findByName(randomUUID(), 'mine')).toBeUndefined();
      expect(await store.find(randomUUID())).toBeUndefined();
    });

    it('hands out copies', async () => {
      const one = await inserted();
      ((await store.find(one.id))!.settings as Record<string, unknown>).endpoint = 'changed';
      expect((await store.find(one.id))!.settings.endpoint).toBe('https://example.org');
    });

    it('refuses a taken id, and a name that its maker has already, of whatever provider', async () => {
      const one = await inserted();
      for (const taken of [{ id: one.id }, { created_by: one.created_by, name: one.name, provider: 'openai' }])
        await expect(store.insert(integration(taken))).rejects.toMatchObject({ kind: 'conflict', code: 'integration_exists' });
      await inserted({ name: one.name });
    });

    it('lists the oldest first, ties by id', async () => {
      const early = await inserted({ created_at: '2026-01-02T03:04:05.678900Z' });
      const [b, a] = [await inserted(), await inserted()];
      const ids = (await store.list(byIds(a.id, early.id, b.id, randomUUID()))).map(({ id }) => id);
      expect(ids).toEqual([early.id, ...[a.id, b.id].sort()]);
      expect((await store.list([])).map(({ id }) => id)).toEqual(ids);
      expect(await store.list(byIds())).toEqual([]);
    });

    it('changes what is given and nothing else', async () => {
      const one = await inserted();
      const updated_at = '2026-02-02T00:00:00.000Z';
      expect(await store.update(one.id, { is_disabled: true, updated_at })).toStrictEqual({
        ...one,
        is_disabled: true,
        updated_at,
      });
      const set = { settings: { other: NASTY }, secrets: { key_id: 'two', key: 'v1.new', fields: [] }, updated_at };
      expect(await store.update(one.id, set)).toStrictEqual({ ...one, is_disabled: true, ...set });
      expect(await store.update(randomUUID(), { updated_at })).toBeUndefined();
    });

    it('removes an integration with its selections', async () => {
      const one = await inserted();
      const user_id = randomUUID();
      await store.select(user_id, one);
      expect(await store.remove(one.id)).toBe(true);
      expect(await store.remove(one.id)).toBe(false);
      expect(await store.find(one.id)).toBeUndefined();
      expect(await store.selectedBy(user_id)).toEqual(new Set());
    });

    it('keeps one selection for each user and provider', async () => {
      const [user, other] = [randomUUID(), randomUUID()];
      const [first, second, elsewhere] = [await inserted(), await inserted(), await inserted({ provider: 'openai' })];
      for (const one of [first, elsewhere, second, second]) await store.select(user, one);
      await store.select(other, first);
      expect(await store.selectedBy(user)).toEqual(new Set([second.id, elsewhere.id]));
      expect(await store.selectedBy(other)).toEqual(new Set([first.id]));
      expect(await store.selectedBy(randomUUID())).toEqual(new Set());
    });

    it('tells which keys are in use, and what other keys than one wrap', async () => {
      const old = [await inserted(), await inserted(), await inserted()];
      await inserted({ secrets: { key_id: 'two', key: 'v1.x', fields: [] } });
      expect((await store.keyIds()).sort()).toEqual(['one', 'two']);
      const found = await store.listOfOtherKeys('two', 10);
      expect(found.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toStrictEqual(
        old.map(({ id, secrets }) => ({ id, secrets })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      expect(await store.listOfOtherKeys('two', 2)).toHaveLength(2);
    });

    it('replaces secrets unless they were changed since they were read', async () => {
      const one = await inserted();
      const next = { key_id: 'two', key: 'v1.rewrapped', fields: one.secrets.fields };
      await store.replaceSecrets(one.id, one.secrets, next);
      expect(await store.find(one.id)).toStrictEqual({ ...one, secrets: next });
      await store.replaceSecrets(one.id, one.secrets, { key_id: 'three', key: 'v1.late', fields: [] });
      expect(await store.find(one.id)).toStrictEqual({ ...one, secrets: next });
      await store.replaceSecrets(randomUUID(), one.secrets, next);
    });
  });
}
