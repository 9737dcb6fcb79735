import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectStore } from '../../../core/projects/project-store.ts';
import type { Suspension } from '../../../core/scorers/scoring/suspension.ts';
import type { SuspensionStore } from '../../../core/scorers/scoring/suspension-store.ts';
import type { Opened } from '../opened.ts';

export interface SuspensionStores {
  readonly suspensionStore: SuspensionStore;
  readonly projectStore: ProjectStore;
}

export function suspensionStoreContract(adapter: string, open: () => Promise<Opened<SuspensionStores>>): void {
  describe(`SuspensionStore, ${adapter}`, () => {
    let opened: Opened<SuspensionStores>;
    let store: SuspensionStore;
    let suspension: Suspension;
    beforeAll(async () => {
      opened = await open();
      store = opened.port.suspensionStore;
    });
    beforeEach(async () => {
      suspension = suspended(await newProject());
    });
    afterAll(() => opened.close());

    async function newProject(): Promise<string> {
      const id = randomUUID();
      const at = '2026-01-01T00:00:00.000Z';
      const facts = {
        name: `project ${id}`,
        type: 'gen_ai' as const,
        type_is_default: false,
        created_by: randomUUID(),
        description: null,
        labels: [],
      };
      await opened.port.projectStore.insertProject({ id, ...facts, created_at: at, updated_at: at });
      return id;
    }

    const suspended = (project_id: string): Suspension => ({
      project_id,
      scorer_id: randomUUID(),
      scorer_version_id: randomUUID(),
      reason: 'timed_out',
      message: 'ten in a row',
      suspended_at: '2026-01-02T03:04:05.678Z',
    });

    it('keeps the first suspension of a version in a project', async () => {
      expect(await store.insert(suspension)).toBe(true);
      expect(await store.insert({ ...suspension, reason: 'out_of_memory' })).toBe(false);
      expect(await store.list(suspension.project_id, [suspension.scorer_version_id, randomUUID()])).toStrictEqual([suspension]);
      expect(await store.list(randomUUID(), [suspension.scorer_version_id])).toEqual([]);
      expect(await store.list(suspension.project_id, [])).toEqual([]);
    });

    it('lists those of a scorer in all projects, the newest first', async () => {
      const later = { ...suspension, project_id: await newProject(), suspended_at: '2026-01-03T03:04:05.678Z' };
      for (const one of [suspension, later]) await store.insert(one);
      expect(await store.listOfScorer(suspension.scorer_id)).toStrictEqual([later, suspension]);
    });

    it('forgets one that is removed, once', async () => {
      await store.insert(suspension);
      expect(await store.remove(suspension.project_id, suspension.scorer_version_id)).toBe(true);
      expect(await store.remove(suspension.project_id, suspension.scorer_version_id)).toBe(false);
      expect(await store.listOfScorer(suspension.scorer_id)).toEqual([]);
      expect(await store.insert(suspension)).toBe(true);
    });

    it('goes with its project, and stores nothing of one that is gone', async () => {
      await store.insert(suspension);
      await opened.port.projectStore.removeProject(suspension.project_id);
      expect(await store.listOfScorer(suspension.scorer_id)).toEqual([]);
      expect(await store.insert(suspension)).toBe(false);
    });
  });
}
