import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { RunOrigin } from '../../../core/projects/run-origin.ts';
import type { RunOriginStore } from '../../../core/projects/run-origin-store.ts';
import type { Opened } from '../opened.ts';
import { CREATED } from '../traces/record-stores.ts';

export interface OriginStores {
  readonly projectStore: ProjectStore;
  readonly runOriginStore: RunOriginStore;
}

/** The stores are opened once; every test works in a project of its own. */
export function runOriginStoreContract(adapter: string, open: () => Promise<Opened<OriginStores>>): void {
  describe(`RunOriginStore, ${adapter}`, () => {
    let opened: Opened<OriginStores>;
    let project_id: string;
    beforeAll(async () => {
      opened = await open();
    });
    beforeEach(async () => {
      project_id = randomUUID();
      const facts = { type: 'gen_ai', type_is_default: false, created_by: randomUUID(), description: null, labels: [] } as const;
      const times = { created_at: CREATED, updated_at: CREATED };
      await opened.port.projectStore.insertProject({ id: project_id, name: project_id, ...facts, labels: [], ...times });
    });
    afterAll(() => opened.close());

    async function newOrigin(facts: Partial<RunOrigin> = {}): Promise<RunOrigin> {
      const run_id = randomUUID();
      const run = { kind: 'metrics_testing', created_by: null, has_user_created_sessions: false } as const;
      const times = { created_at: CREATED, updated_at: CREATED };
      await opened.port.projectStore.insertRun({ project_id, id: run_id, name: run_id, ...run, ...times });
      const from = { dataset_id: randomUUID(), dataset_version_index: 3, scorer_id: randomUUID() };
      return { project_id, run_id, ...from, scorer_version_id: randomUUID(), source_run_id: null, ...facts };
    }

    it('finds what was put, nulls included', async () => {
      const none = { dataset_id: null, dataset_version_index: null, scorer_id: null, scorer_version_id: null };
      const [full, empty] = [await newOrigin(), await newOrigin({ ...none, source_run_id: randomUUID() })];
      await opened.port.runOriginStore.put(full);
      await opened.port.runOriginStore.put(empty);
      expect(await opened.port.runOriginStore.find(project_id, full.run_id)).toStrictEqual(full);
      expect(await opened.port.runOriginStore.find(project_id, empty.run_id)).toStrictEqual(empty);
    });

    it('replaces what was put before', async () => {
      const first = await newOrigin();
      const second = { ...first, scorer_version_id: null, dataset_version_index: 4 };
      await opened.port.runOriginStore.put(first);
      await opened.port.runOriginStore.put(second);
      expect(await opened.port.runOriginStore.find(project_id, first.run_id)).toStrictEqual(second);
    });

    it('lists those of the runs that have one, of this project', async () => {
      const [first, second, silent] = [await newOrigin(), await newOrigin(), await newOrigin()];
      await opened.port.runOriginStore.put(first);
      await opened.port.runOriginStore.put(second);
      const ids = [first, second, silent].map(({ run_id }) => run_id);
      const listed = await opened.port.runOriginStore.list(project_id, [...ids, randomUUID()]);
      expect(listed.toSorted((a, b) => ids.indexOf(a.run_id) - ids.indexOf(b.run_id))).toStrictEqual([first, second]);
      expect(await opened.port.runOriginStore.list(randomUUID(), ids)).toEqual([]);
      expect(await opened.port.runOriginStore.list(project_id, [])).toEqual([]);
      expect(await opened.port.runOriginStore.find(randomUUID(), first.run_id)).toBeUndefined();
    });

    it('refuses the origin of a run that is not there', async () => {
      const origin = await newOrigin();
      for (const stranger of [
        { ...origin, run_id: randomUUID() },
        { ...origin, project_id: randomUUID() },
      ])
        await expect(opened.port.runOriginStore.put(stranger)).rejects.toMatchObject({
          kind: 'not_found',
          code: 'run_not_found',
        });
    });

    it('forgets the origin of a run that is removed, alone or with its project', async () => {
      const [removed, left] = [await newOrigin(), await newOrigin()];
      await opened.port.runOriginStore.put(removed);
      await opened.port.runOriginStore.put(left);
      await opened.port.projectStore.removeRun(project_id, 'metrics_testing', removed.run_id);
      expect(await opened.port.runOriginStore.find(project_id, removed.run_id)).toBeUndefined();
      expect(await opened.port.runOriginStore.find(project_id, left.run_id)).toStrictEqual(left);
      await opened.port.projectStore.removeProject(project_id);
      expect(await opened.port.runOriginStore.find(project_id, left.run_id)).toBeUndefined();
    });

    it('hands out copies', async () => {
      const origin = await newOrigin();
      await opened.port.runOriginStore.put(origin);
      Object.assign((await opened.port.runOriginStore.find(project_id, origin.run_id))!, { scorer_id: null });
      expect(await opened.port.runOriginStore.find(project_id, origin.run_id)).toStrictEqual(origin);
    });
  });
}
