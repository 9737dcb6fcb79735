import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ExperimentFacts, plainFacts } from '../../../core/experiments/experiment-facts.ts';
import type { ExperimentStore } from '../../../core/experiments/experiment-store.ts';
import type { RunTag } from '../../../core/experiments/run-tag.ts';
import type { RunTagStore } from '../../../core/experiments/run-tag-store.ts';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { Opened } from '../opened.ts';
import { CREATED } from '../traces/record-stores.ts';

export interface ExperimentStores {
  readonly projectStore: ProjectStore;
  readonly experimentStore: ExperimentStore;
  readonly runTagStore: RunTagStore;
}

const NASTY = 'NUL \0 half \ud83e private \uf8ff \u{1f99c}';

/** The stores are opened once; every test works in a project of its own. */
export function experimentStoresContract(adapter: string, open: () => Promise<Opened<ExperimentStores>>): void {
  describe(`ExperimentStore and RunTagStore, ${adapter}`, () => {
    let opened: Opened<ExperimentStores>;
    let stores: ExperimentStores;
    let project_id: string;
    beforeAll(async () => {
      opened = await open();
      stores = opened.port;
    });
    beforeEach(async () => {
      project_id = randomUUID();
      const facts = { type: 'gen_ai', type_is_default: false, created_by: randomUUID(), description: null, labels: [] } as const;
      const times = { created_at: CREATED, updated_at: CREATED };
      await stores.projectStore.insertProject({ id: project_id, name: project_id, ...facts, labels: [], ...times });
    });
    afterAll(() => opened.close());

    async function newRun(): Promise<string> {
      const id = randomUUID();
      const facts = { kind: 'experiment', created_by: null, has_user_created_sessions: false } as const;
      await stores.projectStore.insertRun({ project_id, id, name: id, ...facts, created_at: CREATED, updated_at: CREATED });
      return id;
    }
    async function newFacts(dataset_id = randomUUID()): Promise<ExperimentFacts> {
      const prompt = {
        prompt_template_id: randomUUID(),
        prompt_template_version_id: randomUUID(),
        version_index: 2,
        name: 'a prompt',
        content: [{ role: 'user', content: NASTY }],
        raw: false,
      };
      return {
        ...plainFacts(project_id, await newRun()),
        task_type: 17,
        dataset: { dataset_id, version_index: 3, name: 'a dataset' },
        prompt,
        prompt_run_settings: { model_alias: NASTY, temperature: 0.5 },
        playground_id: randomUUID(),
        generated: 0.25,
      };
    }

    it('finds what was put, nulls included, and replaces it', async () => {
      const full = await newFacts();
      const empty = plainFacts(project_id, await newRun());
      for (const facts of [full, empty]) await stores.experimentStore.put(facts);
      expect(await stores.experimentStore.find(project_id, full.run_id)).toStrictEqual(full);
      expect(await stores.experimentStore.find(project_id, empty.run_id)).toStrictEqual(empty);
      await stores.experimentStore.put({ ...full, prompt: null });
      await stores.experimentStore.report(project_id, full.run_id, 0.75);
      expect(await stores.experimentStore.find(project_id, full.run_id)).toStrictEqual({
        ...full,
        prompt: null,
        generated: 0.75,
      });
      expect(await stores.experimentStore.find(randomUUID(), full.run_id)).toBeUndefined();
      await stores.experimentStore.report(project_id, randomUUID(), 1);
    });

    it('lists several runs, and those of datasets', async () => {
      const [a, b] = [await newFacts(), await newFacts()];
      const silent = await newRun();
      for (const facts of [a, b]) await stores.experimentStore.put(facts);
      const listed = await stores.experimentStore.list(project_id, [a.run_id, b.run_id, silent]);
      expect(listed.map(({ run_id }) => run_id).sort()).toEqual([a.run_id, b.run_id].sort());
      const { dataset_id } = a.dataset!;
      expect(await stores.experimentStore.listByDatasets(project_id, [dataset_id])).toEqual([{ run_id: a.run_id, dataset_id }]);
      expect(await stores.experimentStore.listByDatasets(randomUUID(), [dataset_id])).toEqual([]);
      expect(await stores.experimentStore.list(project_id, [])).toEqual([]);
    });

    it('refuses facts and tags of a run that is not there', async () => {
      const facts = { ...(await newFacts()), run_id: randomUUID() };
      await expect(stores.experimentStore.put(facts)).rejects.toMatchObject({ code: 'run_not_found' });
      await expect(stores.runTagStore.put(getTag(randomUUID()))).rejects.toMatchObject({ code: 'run_not_found' });
    });

    const getTag = (run_id: string, facts: Partial<RunTag> = {}): RunTag => ({
      id: randomUUID(),
      key: `model ${randomUUID()}`,
      value: 'v',
      tag_type: 'generic',
      project_id,
      run_id,
      created_by: randomUUID(),
      created_at: '2026-01-02T03:04:05.678901Z',
      updated_at: '2026-01-02T03:04:05.678901Z',
      ...facts,
    });

    it('keeps tags of runs, oldest first, and changes and removes them', async () => {
      const [run, other] = [await newRun(), await newRun()];
      const late = getTag(run, { created_at: '2026-01-03T03:04:05.678901Z' });
      const [early, elsewhere] = [getTag(run), getTag(other)];
      for (const tag of [late, early, elsewhere]) await stores.runTagStore.put(tag);
      expect(await stores.runTagStore.list(project_id, [run])).toStrictEqual([early, late]);
      expect(await stores.runTagStore.list(project_id, [run, other])).toHaveLength(3);
      const changes = { key: 'k', value: '', tag_type: 't', updated_at: '2026-02-02T00:00:00.123456Z' };
      expect(await stores.runTagStore.update(project_id, run, early.id, changes)).toStrictEqual({ ...early, ...changes });
      expect(await stores.runTagStore.find(project_id, run, early.id)).toStrictEqual({ ...early, ...changes });
      expect(await stores.runTagStore.find(project_id, other, early.id)).toBeUndefined();
      expect(await stores.runTagStore.update(project_id, other, early.id, changes)).toBeUndefined();
      expect(await stores.runTagStore.remove(project_id, other, early.id)).toBe(false);
      expect(await stores.runTagStore.remove(project_id, run, early.id)).toBe(true);
      expect(await stores.runTagStore.remove(project_id, run, early.id)).toBe(false);
    });

    it('keeps one tag of each key on a run, whoever comes first', async () => {
      const [run, other] = [await newRun(), await newRun()];
      const first = getTag(run, { key: 'branch' });
      await stores.runTagStore.put(first);
      const elsewhere = await stores.runTagStore.put(getTag(other, { key: 'branch' }));
      const again = getTag(run, { key: 'branch', value: 'other', tag_type: 't', updated_at: '2026-02-02T00:00:00.123456Z' });
      const { value, tag_type, updated_at } = again;
      expect(await stores.runTagStore.put(again)).toStrictEqual({ ...first, value, tag_type, updated_at });
      expect(await stores.runTagStore.list(project_id, [run])).toStrictEqual([{ ...first, value, tag_type, updated_at }]);
      expect(await stores.runTagStore.find(project_id, other, elsewhere.id)).toStrictEqual(elsewhere);
      const raced = await Promise.all(
        ['a', 'b', 'c'].map((one) => stores.runTagStore.put(getTag(run, { key: 'raced', value: one }))),
      );
      expect(new Set(raced.map(({ id }) => id)).size).toBe(1);
      const second = await stores.runTagStore.put(getTag(run, { key: 'second' }));
      const taken = { key: 'branch', value: '', tag_type: 't', updated_at };
      await expect(stores.runTagStore.update(project_id, run, second.id, taken)).rejects.toMatchObject({ code: 'tag_exists' });
      expect(await stores.runTagStore.update(project_id, run, first.id, taken)).toMatchObject({ id: first.id, value: '' });
    });

    it('forgets facts and tags of a run that is removed, alone or with its project', async () => {
      const [removed, left] = [await newFacts(), await newFacts()];
      for (const facts of [removed, left]) {
        await stores.experimentStore.put(facts);
        await stores.runTagStore.put(getTag(facts.run_id));
      }
      await stores.projectStore.removeRun(project_id, 'experiment', removed.run_id);
      const kept = () => stores.experimentStore.list(project_id, [removed.run_id, left.run_id]);
      const tags = () => stores.runTagStore.list(project_id, [removed.run_id, left.run_id]);
      expect(await kept()).toStrictEqual([left]);
      expect(await tags()).toHaveLength(1);
      await stores.projectStore.removeProject(project_id);
      expect(await kept()).toEqual([]);
      expect(await tags()).toEqual([]);
    });
  });
}
