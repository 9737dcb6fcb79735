import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoredDashboard } from '../../../core/trends/dashboard.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NASTY = 'NUL \0 half \ud83e private \uf8ff \u{1f99c}';

const dashboard = (name: string): StoredDashboard => ({
  sections: [
    {
      id: 's1',
      name,
      widgets: [
        {
          id: randomUUID(),
          name,
          type: 'table',
          metric: NASTY,
          aggregation: 'P95',
          description: '',
          dataset: [{ label: 'a', filters: [], own: { [NASTY]: [1, null] } }],
        },
      ],
    },
  ],
  known_metrics: [NASTY],
});

/** The stores are opened once; every test works in a run of its own. */
export function dashboardStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`DashboardStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const find = ({ project_id, run_id }: RunKey) => stores.dashboardStore.find(project_id, run_id);
    const change = ({ project_id, run_id }: RunKey, to: (before: StoredDashboard | undefined) => StoredDashboard) =>
      stores.dashboardStore.change(project_id, run_id, to);

    it('knows whether a section is in any dashboard', async () => {
      const id = randomUUID();
      expect(await stores.dashboardStore.holdsSection(id)).toBe(false);
      await change(run, () => ({
        ...dashboard('one'),
        sections: [{ id, name: 'one', widgets: [] }, ...dashboard('two').sections],
      }));
      expect(await stores.dashboardStore.holdsSection(id)).toBe(true);
      expect(await stores.dashboardStore.holdsSection(randomUUID())).toBe(false);
      await change(run, () => dashboard('without'));
      expect(await stores.dashboardStore.holdsSection(id)).toBe(false);
    });

    it('has none at first, then what was made of it', async () => {
      expect(await find(run)).toBeUndefined();
      const seen: unknown[] = [];
      const noting = (to: StoredDashboard) => (before: StoredDashboard | undefined) => {
        seen.push(before);
        return to;
      };
      const first = dashboard('first');
      expect(await change(run, noting(first))).toStrictEqual(first);
      expect(await find(run)).toStrictEqual(first);
      const second = dashboard('second');
      await change(run, noting(second));
      expect(await find(run)).toStrictEqual(second);
      expect(seen).toStrictEqual([undefined, first]);
    });

    it('changes nothing when the change throws, the first one neither', async () => {
      const refuse = () => {
        throw new Error('no');
      };
      await expect(change(run, refuse)).rejects.toThrow('no');
      expect(await find(run)).toBeUndefined();
      const first = dashboard('first');
      await change(run, () => first);
      await expect(change(run, refuse)).rejects.toThrow('no');
      expect(await find(run)).toStrictEqual(first);
    });

    it('loses no change of several at once, from the first on', async () => {
      const added = (name: string) => (before: StoredDashboard | undefined) => ({
        sections: [...(before?.sections ?? []), ...dashboard(name).sections],
        known_metrics: [],
      });
      await Promise.all(['a', 'b', 'c', 'd'].map((name) => change(run, added(name))));
      expect((await find(run))!.sections.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd']);
    });

    it('keeps runs and projects apart, and knows nothing of a run that is not there', async () => {
      const other = await newRun(stores, run.project_id);
      await change(run, () => dashboard('one'));
      expect(await find(other)).toBeUndefined();
      expect(await find({ ...run, project_id: randomUUID() })).toBeUndefined();
      expect(await change({ ...run, run_id: randomUUID() }, () => dashboard('x'))).toBeUndefined();
    });

    it('hands out copies', async () => {
      await change(run, () => dashboard('mine'));
      ((await find(run))!.known_metrics as string[]).push('changed');
      expect((await find(run))!.known_metrics).toEqual([NASTY]);
    });
  });
}
