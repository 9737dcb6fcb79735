import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoredTemplate, StoredTemplateVersion } from '../../../core/prompts/template.ts';
import { NEWEST_TEMPLATES_FIRST, type TemplateFilter } from '../../../core/prompts/template-query.ts';
import type { TemplateStore } from '../../../core/prompts/template-store.ts';
import type { Opened } from '../opened.ts';

export interface TemplateFixture {
  readonly store: TemplateStore;
  /** Makes a project be there, or be gone. */
  project(id: string, exists: boolean): Promise<void>;
}

const NASTY = 'NUL \0 half \ud83e private \uf8ff \u{1f99c}';
const ALL = { offset: 0, limit: 100 };

function getVersion(template_id: string, version: number, facts: Partial<StoredTemplateVersion> = {}): StoredTemplateVersion {
  return {
    template_id,
    version,
    id: randomUUID(),
    template: [{ role: 'user', content: `${NASTY} {{input}}`, tool_calls: [{ id: 'a' }] }],
    raw: false,
    settings: { model_alias: 'm', temperature: 0.5, stop_sequences: [NASTY] },
    output_type: null,
    commit_message: null,
    model_changed: true,
    settings_changed: false,
    content_changed: true,
    created_by: randomUUID(),
    created_at: `2026-01-02T03:04:0${version}.678901Z`,
    ...facts,
  };
}

export function templateStoreContract(adapter: string, open: () => Promise<Opened<TemplateFixture>>): void {
  describe(`TemplateStore, ${adapter}`, () => {
    let fixture: TemplateFixture;
    let store: TemplateStore;
    beforeEach(async () => {
      fixture = (await open()).port;
      store = fixture.store;
    });
    const inserted = async (facts: Partial<StoredTemplate> = {}): Promise<StoredTemplate> => {
      const id = facts.id ?? randomUUID();
      const times = { created_at: '2026-01-02T03:04:05.678901Z', updated_at: '2026-01-02T03:04:05.678901Z' };
      const template = { id, name: `template ${id}`, hidden: false, created_by: randomUUID(), ...times, ...facts };
      const first = getVersion(id, 1);
      await store.insert(template, first);
      return { ...template, selected: first, versions: [1] };
    };
    const getNames = async (filters: TemplateFilter[], sort = NEWEST_TEMPLATES_FIRST) =>
      (await store.list(filters, sort)).map(({ name }) => name);

    it('finds what was inserted with its first version, by each of its ids', async () => {
      const template = await inserted();
      expect(await store.find(template.id)).toStrictEqual(template);
      expect(await store.hold(template.id)).toStrictEqual(template);
      expect(await store.findVersion(template.id, 1)).toStrictEqual(template.selected);
      expect(await store.findVersionById(template.selected.id)).toStrictEqual(template.selected);
      expect(await store.find(randomUUID())).toBeUndefined();
      expect(await store.findVersion(template.id, 2)).toBeUndefined();
      expect(await store.findVersionById(randomUUID())).toBeUndefined();
    });

    it('finds versions by name and number or label, and names by id, and leaves out those that there are not', async () => {
      const template = await inserted({ name: `named \u{1f99c} ${randomUUID()}` });
      const { name, id: template_id } = template;
      const second = getVersion(template_id, 2);
      await store.insertVersion(second);
      await store.moveLabel({
        ...{ template_id, label: 'production', from_version: null, to_version: 1 },
        ...{ moved_by: randomUUID(), moved_at: '2026-01-02T03:04:05.678901Z' },
      });
      const named = ['2', 'production', '3', 'staging', 'latest', '99999999999999', ''].map((wanted) => ({ name, wanted }));
      expect(await store.findNamed([...named, { name: 'nobody', wanted: 'latest' }, { name: NASTY, wanted: NASTY }])).toEqual([
        { name, wanted: '2', id: second.id, template_id, version: 2 },
        { name, wanted: 'production', id: template.selected.id, template_id, version: 1 },
        { name, wanted: 'latest', id: second.id, template_id, version: 2 },
      ]);
      expect(await store.findNames([second.id, randomUUID()])).toEqual([
        { name, wanted: '2', id: second.id, template_id, version: 2 },
      ]);
    });

    it('keeps a template that is one text', async () => {
      const template = await inserted();
      const version = getVersion(template.id, 2, { template: NASTY, raw: true, output_type: 'text', commit_message: 'shorter' });
      await store.insertVersion(version);
      expect(await store.findVersion(template.id, 2)).toStrictEqual(version);
    });

    it('hands out copies', async () => {
      const { id } = await inserted();
      ((await store.find(id))!.selected.settings as Record<string, unknown>).model_alias = 'changed';
      expect((await store.find(id))!.selected.settings.model_alias).toBe('m');
    });

    it('refuses a taken id or name, and tells taken names', async () => {
      const { id, name } = await inserted();
      for (const taken of [{ id }, { name }])
        await expect(inserted(taken)).rejects.toMatchObject({ kind: 'conflict', code: 'template_exists' });
      expect(await store.takenNames([name, 'free'])).toEqual([name]);
      const other = await inserted();
      await expect(store.update(other.id, { name, updated_at: other.updated_at })).rejects.toMatchObject({ kind: 'conflict' });
    });

    it('selects one of several versions, and lists them in every order', async () => {
      const { id } = await inserted();
      await store.insertVersion(getVersion(id, 7, { created_at: '2026-01-01T00:00:00.000000Z' }));
      await store.insertVersion(getVersion(id, 3));
      const updated_at = '2026-02-02T00:00:00.123456Z';
      const changed = await store.update(id, { selected_version: 7, updated_at });
      expect(changed).toMatchObject({ updated_at, selected: { version: 7 }, versions: [1, 3, 7] });
      const numbers = async (name: 'version' | 'created_at', ascending: boolean, slice = ALL) =>
        (await store.listVersions(id, { name, ascending }, slice)).map(({ version }) => version);
      expect(await numbers('version', false)).toEqual([7, 3, 1]);
      expect(await numbers('version', true, { offset: 1, limit: 1 })).toEqual([3]);
      expect(await numbers('created_at', true)).toEqual([7, 1, 3]);
      expect(await store.update(randomUUID(), { updated_at })).toBeUndefined();
    });

    it('lists by name, maker and use, leaving out what is hidden', async () => {
      const [project, gone] = [randomUUID(), randomUUID()];
      await fixture.project(project, true);
      const a = await inserted({ name: 'a', created_at: '2026-01-01T00:00:00.000000Z' });
      const b = await inserted({ name: 'B', created_at: '2026-01-03T00:00:00.000000Z' });
      await inserted({ name: 'unseen', hidden: true });
      await store.use(a.id, project);
      await store.use(a.id, project);
      await store.use(b.id, gone);
      expect(await getNames([])).toEqual(['B', 'a']);
      expect(await getNames([], { name: 'name', ascending: false })).toEqual(['a', 'B']);
      expect(await getNames([{ family: 'id', name: 'creator', operator: 'eq', values: [b.created_by] }])).toEqual(['B']);
      expect(await getNames([{ family: 'id', name: 'id', operator: 'one_of', values: [a.id] }])).toEqual(['a']);
      expect(await getNames([{ family: 'custom_uuid', name: 'used_in_project', value: project }])).toEqual(['a']);
      expect(await getNames([{ family: 'custom_uuid', name: 'used_in_project', value: gone }])).toEqual([]);
      expect(await getNames([{ family: 'custom_uuid', name: 'not_in_project', value: project }])).toEqual(['B']);
      expect(await store.isUsedIn(a.id, project)).toBe(true);
      await fixture.project(project, false);
      expect(await store.isUsedIn(a.id, project)).toBe(false);
    });

    const movedTo = (template_id: string, label: string, from_version: number | null, to_version: number | null) => {
      const [moved_by, moved_at] = [randomUUID(), '2026-03-02T00:00:00.123456Z'];
      return { template_id, label, from_version, to_version, moved_by, moved_at };
    };

    it('moves labels between versions, and keeps every move', async () => {
      const [{ id }, other] = [await inserted(), await inserted()];
      await store.insertVersion(getVersion(id, 2));
      const moves = [
        movedTo(id, 'staging', null, 1),
        movedTo(id, 'production', null, 1),
        movedTo(id, 'staging', 1, 2),
        movedTo(id, 'own', null, 2),
        movedTo(id, 'own', 2, null),
      ];
      for (const move of [...moves, movedTo(other.id, 'production', null, 1)]) await store.moveLabel(move);
      expect(await store.listLabels([id])).toStrictEqual([
        { template_id: id, label: 'production', version: 1 },
        { template_id: id, label: 'staging', version: 2 },
      ]);
      expect(await store.listLabels([id, other.id])).toHaveLength(3);
      expect(await store.listLabels([])).toEqual([]);
      expect(await store.findLabel(id, 'staging')).toBe(2);
      expect(await store.findLabel(id, 'own')).toBeUndefined();
      expect(await store.listLabelMoves(id, ALL)).toStrictEqual(moves.toReversed());
      expect(await store.listLabelMoves(id, { offset: 1, limit: 2 })).toStrictEqual([moves[3], moves[2]]);
      await store.remove(id);
      expect([await store.listLabels([id]), await store.listLabelMoves(id, ALL)]).toEqual([[], []]);
      expect(await store.findLabel(other.id, 'production')).toBe(1);
    });

    it('removes a template with its versions and uses', async () => {
      const project = randomUUID();
      await fixture.project(project, true);
      const { id, selected } = await inserted();
      await store.use(id, project);
      expect(await store.remove(id)).toBe(true);
      expect(await store.remove(id)).toBe(false);
      expect(await store.findVersionById(selected.id)).toBeUndefined();
      expect(await store.isUsedIn(id, project)).toBe(false);
    });
  });
}
