import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { type MetricSettings, NO_METRICS } from '../../../core/scores/metric-settings.ts';
import { entry, newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const NASTY = 'NUL \0 half \ud83e private \uf8ff';

/** The stores are opened once; every test works in a run of its own. What ingest is told of a run belongs to it. */
export function metricSettingsStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`MetricSettingsStore and RunDirectory, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const find = ({ project_id, run_id } = run) => stores.metricSettingsStore.find(project_id, run_id);
    const replace = (change: (before: MetricSettings, now: string) => MetricSettings, { project_id, run_id } = run) =>
      stores.metricSettingsStore.replace(project_id, run_id, change);
    const context = ({ project_id, run_id } = run) => stores.runDirectory.findRun(project_id, run_id, true);
    const strangers = () => [
      { ...run, run_id: randomUUID() },
      { ...run, project_id: randomUUID() },
    ];

    it('has empty settings for a run without any, and none for an unknown run', async () => {
      expect(await find()).toStrictEqual(NO_METRICS);
      for (const stranger of strangers()) {
        expect(await find(stranger)).toBeUndefined();
        expect(await context(stranger)).toBeUndefined();
        expect(await replace((before) => before, stranger)).toBeUndefined();
      }
    });

    it('replaces the settings by what is made of them', async () => {
      const filter = {
        name: 'metadata',
        filter_type: 'map',
        operator: 'one_of',
        key: 'k',
        value: [NASTY],
        case_sensitive: true,
      } as const;
      const settings: MetricSettings = {
        scorers: [
          entry({ filters: [{ ...filter, value: [NASTY] }], score_type: NASTY, multimodal_capabilities: ['vision'] }),
          entry(),
        ],
        segment_filters: [
          { sample_rate: 0.5, filter: { ...filter, value: NASTY }, llm_scorers: true, multimodal_scorers: false },
        ],
      };
      const seen: MetricSettings[] = [];
      const first = await replace((before) => {
        seen.push(before);
        return settings;
      });
      expect(first).toStrictEqual(settings);
      expect(await find()).toStrictEqual(settings);
      await replace((before) => {
        seen.push(before);
        return { ...before, scorers: [] };
      });
      expect(seen).toStrictEqual([NO_METRICS, settings]);
      expect(await find()).toStrictEqual({ ...settings, scorers: [] });
    });

    it('tells the time, which goes on', async () => {
      const times: string[] = [];
      for (let at = 0; at < 3; at += 1) {
        await replace((before, now) => {
          times.push(now);
          return before;
        });
      }
      expect(times.map((time) => toUtc(time))).toEqual(times);
      expect(times.toSorted()).toEqual(times);
    });

    it('raises the revision by one with every change, and says whether a scorer is enabled', async () => {
      const name = run.project_id;
      const expected = { ...run, project_name: name, kind: 'log_stream', settings_revision: 0, has_scorers: false };
      expect(await context()).toStrictEqual(expected);
      await replace(() => ({ scorers: [entry()], segment_filters: [] }));
      expect(await context()).toStrictEqual({ ...expected, settings_revision: 1, has_scorers: true });
      await replace(() => NO_METRICS);
      expect(await context()).toStrictEqual({ ...expected, settings_revision: 2, has_scorers: false });
    });

    it('loses none of several changes at once', async () => {
      const names = Array.from({ length: 8 }, (_, at) => `scorer ${at}`);
      const add = (name: string) => replace((before) => ({ ...before, scorers: [...before.scorers, entry({ name })] }));
      await Promise.all(names.map(add));
      expect((await find())!.scorers.map(({ name }) => name).toSorted()).toEqual(names);
      expect(await context()).toMatchObject({ settings_revision: 8 });
    });

    it('changes nothing when the change throws', async () => {
      await replace(() => ({ scorers: [entry({ name: 'kept' })], segment_filters: [] }));
      const attempt = replace(() => {
        throw new RangeError('not like this');
      });
      await expect(attempt).rejects.toThrow(RangeError);
      expect(await find()).toMatchObject({ scorers: [{ name: 'kept' }] });
      expect(await context()).toMatchObject({ settings_revision: 1 });
    });

    it('keeps runs apart', async () => {
      const sibling = await newRun(stores, run.project_id);
      await replace(() => ({ scorers: [entry()], segment_filters: [] }));
      expect(await find(sibling)).toStrictEqual(NO_METRICS);
      expect(await context(sibling)).toMatchObject({ settings_revision: 0, has_scorers: false });
    });
  });
}
