import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { IdFilter } from '../../../core/kernel/query/filter.ts';
import type { ScorerUse, ScorerUseQuery } from '../../../core/scorers/scorer-use.ts';
import type { StoredEntry } from '../../../core/scores/metric-settings.ts';
import { CREATED, entry, newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NASTY = 'NUL \0 half \ud83e';
const ALL = { offset: 0, limit: 100 };
const those = (...values: string[]): IdFilter<'id'>[] => [{ family: 'id', name: 'id', operator: 'one_of', values }];

export interface UseStores extends RecordStores {
  readonly scorerUse: ScorerUse;
}

/** The stores are opened once; every test has a scorer of its own. */
export function scorerUseContract(adapter: string, open: () => Promise<UseStores>): void {
  describe(`ScorerUse, ${adapter}`, () => {
    let stores: UseStores;
    let scorer_id: string;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(() => {
      scorer_id = randomUUID();
    });
    afterAll(() => stores.close());

    const enable = (run: RunKey, ...entries: StoredEntry[]) =>
      stores.metricSettingsStore.replace(run.project_id, run.run_id, () => ({ scorers: entries, segment_filters: [] }));
    const ids = async (use: ScorerUseQuery, filters: IdFilter<'id'>[] = []) =>
      (await stores.scorerUse.projects(use, filters, ALL)).map(({ id }) => id);

    it('tells the projects with runs that have the scorer enabled, and their log streams', async () => {
      const run = await newRun(stores);
      const { project_id } = run;
      const [other, idle] = [await newRun(stores, project_id), await newRun(stores, project_id)];
      const facts = { created_by: null, has_user_created_sessions: false, created_at: CREATED, updated_at: CREATED };
      const experiment = { project_id, run_id: randomUUID() };
      await stores.projectStore.insertRun({ ...facts, project_id, id: experiment.run_id, kind: 'experiment', name: 'e' });
      for (const one of [run, other, experiment]) await enable(one, entry(), entry({ id: scorer_id, score_type: NASTY }));
      await enable(idle, entry());
      const [project, ...rest] = await stores.scorerUse.projects({ scorer_id }, [], ALL);
      expect(rest).toEqual([]);
      expect(project).toEqual({
        ...(await stores.projectStore.findProject(project_id)),
        num_logstreams: 3,
        num_experiments: 1,
        log_streams: [run, other].map(({ run_id }) => ({ id: run_id, name: run_id })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      });
      expect(await stores.scorerUse.countProjects({ scorer_id }, [])).toBe(1);
    });

    it('leaves metrics-testing runs out', async () => {
      const { project_id } = await newRun(stores);
      const facts = { created_by: null, has_user_created_sessions: false, created_at: CREATED, updated_at: CREATED };
      const tried = { project_id, run_id: randomUUID() };
      await stores.projectStore.insertRun({ ...facts, project_id, id: tried.run_id, kind: 'metrics_testing', name: 'm' });
      await enable(tried, entry({ id: scorer_id }));
      expect(await ids({ scorer_id })).toEqual([]);
    });

    it('looks only where the filters allow, page by page in the order of names', async () => {
      const runs = [await newRun(stores), await newRun(stores), await newRun(stores)];
      for (const run of runs) await enable(run, entry({ id: scorer_id }));
      const all = runs.map(({ project_id }) => project_id).sort();
      expect(await ids({ scorer_id })).toEqual(all);
      expect(await ids({ scorer_id }, those(all[2]!, all[0]!, randomUUID()))).toEqual([all[0], all[2]]);
      expect(await ids({ scorer_id }, those())).toEqual([]);
      const page = await stores.scorerUse.projects({ scorer_id }, [], { offset: 1, limit: 1 });
      expect(page.map(({ id }) => id)).toEqual([all[1]]);
      expect(await stores.scorerUse.countProjects({ scorer_id }, those(all[0]!))).toBe(1);
    });

    it('tells who uses a version: pinned, or as the default', async () => {
      const [pinned, open] = [await newRun(stores), await newRun(stores)];
      const id = randomUUID();
      await enable(pinned, entry({ id: scorer_id, scorer_version_id: id }));
      await enable(open, entry({ id: scorer_id }), entry({ scorer_version_id: id }));
      expect(await ids({ scorer_id, version: { id, is_default: false } })).toEqual([pinned.project_id]);
      expect(await ids({ scorer_id, version: { id, is_default: true } })).toEqual([pinned.project_id, open.project_id].sort());
      expect(await ids({ scorer_id, version: { id: randomUUID(), is_default: true } })).toEqual([open.project_id]);
    });

    it('takes a scorer out of all settings, and leaves the others as they are', async () => {
      const [one, two, idle] = [await newRun(stores), await newRun(stores), await newRun(stores)];
      const [kept, last] = [entry({ score_type: NASTY }), entry()];
      await enable(one, kept, entry({ id: scorer_id }), last);
      await enable(two, entry({ id: scorer_id }));
      await enable(idle, kept);
      const revision = async ({ project_id, run_id }: RunKey) =>
        (await stores.runDirectory.findRun(project_id, run_id, true))!.settings_revision;
      const before = await Promise.all([one, idle].map(revision));
      const disabled = await stores.scorerUse.disable(scorer_id);
      expect(disabled).toHaveLength(2);
      expect(disabled).toEqual(
        expect.arrayContaining([
          { ...one, has_others: true },
          { ...two, has_others: false },
        ]),
      );
      const left = async ({ project_id, run_id }: RunKey) => (await stores.metricSettingsStore.find(project_id, run_id))!.scorers;
      expect(await left(one)).toStrictEqual([kept, last]);
      expect(await left(two)).toEqual([]);
      expect(await left(idle)).toStrictEqual([kept]);
      expect(await Promise.all([one, idle].map(revision))).toEqual([before[0]! + 1, before[1]]);
      expect(await ids({ scorer_id })).toEqual([]);
    });
  });
}
