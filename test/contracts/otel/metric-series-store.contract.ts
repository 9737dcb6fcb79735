import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MetricSeries, SeriesHour, StreamState } from '../../../core/otel/metrics/metric-series.ts';
import type { KnownStreams, MetricChange, MetricSeriesQuery } from '../../../core/otel/metrics/metric-series-store.ts';
import { computeSketch } from '../../../core/record-index/sketch.ts';
import { newRun, type RecordStores, type RunKey } from '../traces/record-stores.ts';

const HOUR = '2026-01-02T03:00:00.000Z';
const NEXT = '2026-01-02T04:00:00.000Z';
const AT = '2026-01-02T05:00:00.000Z';
const USAGE = 'gen_ai.client.token.usage';

/** The stores are opened once; every test works in a run of its own. */
export function metricSeriesStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`MetricSeriesStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const series = (facts: Partial<MetricSeries> = {}): MetricSeries => ({
      id: randomUUID(),
      name: USAGE,
      unit: '{token}',
      kind: 'histogram',
      ...{ model: 'small', operation: 'chat', provider: null, token_type: 'input', error_type: null },
      ...facts,
    });
    const hour = ({ id }: MetricSeries, values: readonly number[], start = HOUR): SeriesHour => ({
      series_id: id,
      hour: start,
      count: values.length,
      sum: values.reduce((sum, value) => sum + value, 0),
      min: Math.min(...values),
      max: Math.max(...values),
      sketch: computeSketch(values),
    });
    const put = (
      all: readonly MetricSeries[],
      hours: readonly SeriesHour[],
      { streams = [], at = AT, key = run }: { streams?: MetricChange['streams']; at?: string; key?: RunKey } = {},
    ) => stores.metricSeriesStore.update(key, { streams: [], series: [] }, () => ({ series: all, hours, streams, at }));
    const look = async (streams: readonly string[], ids: readonly string[] = []): Promise<KnownStreams> => {
      let found: KnownStreams | undefined;
      await stores.metricSeriesStore.update(run, { streams, series: ids }, (known) => {
        found = known;
        return { series: [], streams: [], hours: [], at: AT };
      });
      return found!;
    };
    const aggregate = (facts: Partial<MetricSeriesQuery> = {}) =>
      stores.metricSeriesStore.aggregate({
        ...run,
        ...{ name: USAGE, where: [], group_by: undefined, max_groups: 10, minutes: 60, with_sketches: true, max_hours: 1_000 },
        ...{ from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' },
        ...facts,
      });

    it('adds the numbers of an hour up, sketch by sketch', async () => {
      const one = series();
      await put([one], [hour(one, [1, 5]), hour(one, [7], NEXT)]);
      await put([one], [hour(one, [3, 5])]);
      const { rows, groups, hours } = await aggregate();
      expect(rows.toSorted((a, b) => a.bucket! - b.bucket!)).toEqual([
        { group: null, bucket: Date.parse(HOUR), count: 4, sum: 14, min: 1, max: 5, sketch: computeSketch([1, 5, 3, 5]) },
        { group: null, bucket: Date.parse(NEXT), count: 1, sum: 7, min: 7, max: 7, sketch: computeSketch([7]) },
      ]);
      expect({ groups, hours }).toEqual({ groups: 1, hours: 2 });
    });

    it('groups by a dimension, the groups with the most numbers, and counts those that are left out', async () => {
      const [small, large, none] = [series(), series({ model: 'large' }), series({ model: null })];
      await put([small, large, none], [hour(small, [1, 2, 3]), hour(large, [4, 5]), hour(none, [6])]);
      const whole = await aggregate({ group_by: 'model', minutes: null, with_sketches: false });
      expect(whole.rows.map(({ group, count, bucket, sketch }) => [group, count, bucket, sketch]).toSorted()).toEqual(
        [
          [null, 1, null, null],
          ['large', 2, null, null],
          ['small', 3, null, null],
        ].toSorted(),
      );
      const two = await aggregate({ group_by: 'model', minutes: null, max_groups: 2 });
      expect(two.groups).toBe(3);
      expect(two.rows.map(({ group }) => group).toSorted()).toEqual(['large', 'small']);
      expect(two.rows.find(({ group }) => group === 'small')!.sketch).toEqual(computeSketch([1, 2, 3]));
    });

    it('filters by dimensions, of which a missing value is in no list', async () => {
      const [small, large, none] = [series(), series({ model: 'large' }), series({ model: null })];
      await put([small, large, none], [hour(small, [1]), hour(large, [10]), hour(none, [100])]);
      const sum = async (...where: MetricSeriesQuery['where']) => (await aggregate({ where, minutes: null })).rows[0]?.sum;
      expect(await sum({ dimension: 'model', values: ['small'], is_in: true })).toBe(1);
      expect(await sum({ dimension: 'model', values: ['small', 'large'], is_in: true })).toBe(11);
      expect(await sum({ dimension: 'model', values: ['small'], is_in: false })).toBe(110);
      expect(await sum({ dimension: 'model', values: [], is_in: true })).toBeUndefined();
      const both = [
        { dimension: 'model', values: ['small'], is_in: true },
        { dimension: 'token_type', values: ['output'], is_in: true },
      ] as const;
      expect(await sum(...both)).toBeUndefined();
    });

    it('reads no more hours than it may, and keeps runs, metrics and times apart', async () => {
      const one = series();
      await put([one], [hour(one, [1]), hour(one, [2], NEXT)]);
      expect(await aggregate({ max_hours: 1 })).toMatchObject({ rows: [], hours: 2 });
      expect((await aggregate({ to: NEXT })).rows).toHaveLength(1);
      expect((await aggregate({ from: NEXT })).rows).toHaveLength(1);
      expect((await aggregate({ name: 'gen_ai.other' })).rows).toEqual([]);
      expect((await aggregate(await newRun(stores, run.project_id))).rows).toEqual([]);
    });

    it('remembers streams and series, and counts those of the project', async () => {
      const one = series({ model: 'ünï\0code \ud800 \uf8ff' });
      const [totals, windows] = [randomUUID(), randomUUID()];
      const states: readonly (readonly [string, StreamState])[] = [
        [totals, { of: 'totals', time: '1767322800000000001', value: 12.5 }],
        [windows, { of: 'windows', forgotten: '0', known: ['1-2', '2-3'] }],
      ];
      await put([one], [], { streams: states.map(([id, state]) => ({ id, state })) });
      const elsewhere = await newRun(stores, run.project_id);
      await put([series()], [], { streams: [{ id: randomUUID(), state: states[0]![1] }], key: elsewhere });
      const known = await look([totals, windows, randomUUID()], [one.id, randomUUID()]);
      expect(known).toEqual({ streams: new Map(states), series: new Set([one.id]), num_streams: 3, num_series: 2 });
      await put([one], [hour(one, [1])]);
      expect((await aggregate({ group_by: 'model' })).rows[0]!.group).toBe(one.model);
    });

    it('names the metrics of a run and their units', async () => {
      await put([series(), series({ model: 'large' }), series({ name: 'gen_ai.a', unit: 's' })], []);
      expect(await stores.metricSeriesStore.names(run.project_id, run.run_id)).toEqual([
        { name: 'gen_ai.a', unit: 's' },
        { name: USAGE, unit: '{token}' },
      ]);
      expect(await stores.metricSeriesStore.names(run.project_id, randomUUID())).toEqual([]);
    });

    it('leaves a series that is there as it is', async () => {
      const one = series();
      await put([one], [hour(one, [1])]);
      await put([{ ...one, model: 'other' }], [hour(one, [1])]);
      expect((await aggregate({ group_by: 'model' })).rows).toMatchObject([{ group: 'small', count: 2 }]);
    });

    it('keeps nothing of a change that fails, and nothing for a run that is not there', async () => {
      const failing = stores.metricSeriesStore.update(run, { streams: [], series: [] }, () => {
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await expect(put([series()], [], { key: { ...run, run_id: randomUUID() } })).rejects.toMatchObject({
        kind: 'not_found',
        code: 'run_not_found',
      });
    });

    it('lets changes of a run come one after the other', async () => {
      const [one, stream] = [series(), randomUUID()];
      const add = () =>
        stores.metricSeriesStore.update(run, { streams: [stream], series: [one.id] }, ({ streams }) => {
          const state = streams.get(stream);
          const value = state?.of === 'totals' ? (state.value as number) : 0;
          return {
            series: [one],
            streams: [{ id: stream, state: { of: 'totals', time: '1', value: value + 1 } }],
            hours: [hour(one, [1])],
            at: AT,
          };
        });
      await Promise.all([add(), add(), add(), add()]);
      expect((await look([stream])).streams.get(stream)).toMatchObject({ value: 4 });
      expect((await aggregate()).rows).toMatchObject([{ count: 4, sum: 4 }]);
    });

    it('removes hours that are too old, series that ended before, and streams that were not heard of', async () => {
      const [gone, stays] = [series({ name: 'gen_ai.gone' }), series()];
      const state: StreamState = { of: 'totals', time: '1', value: 1 };
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      await put([gone], [hour(gone, [1])], { at: '2020-01-01T00:00:00.000Z', streams: ids.map((id) => ({ id, state })) });
      await put([stays], [hour(stays, [1]), hour(stays, [2], NEXT)]);
      await stores.metricSeriesStore.removeHoursBefore(run.project_id, run.run_id, NEXT);
      expect((await aggregate()).rows).toMatchObject([{ sum: 2 }]);
      expect((await stores.metricSeriesStore.names(run.project_id, run.run_id)).map(({ name }) => name)).toEqual([USAGE]);
      const remove = () => stores.metricSeriesStore.removeStreamsBefore('2020-01-02T00:00:00.000Z', 2);
      expect([await remove(), await remove(), await remove()]).toEqual([2, 1, 0]);
    });

    it('loses all of a run and of a project that are removed', async () => {
      const one = series();
      const stream = { id: randomUUID(), state: { of: 'totals', time: '1', value: 1 } as const };
      await put([one], [hour(one, [1])], { streams: [stream] });
      const other = await newRun(stores, run.project_id);
      await put([series()], [], { key: other });
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      await stores.projectStore.removeRun(run.project_id, 'log_stream', run.run_id);
      expect((await aggregate()).rows).toEqual([]);
      expect(await stores.metricSeriesStore.names(run.project_id, run.run_id)).toEqual([]);
      expect(await stores.metricSeriesStore.names(run.project_id, other.run_id)).toHaveLength(1);
      await stores.traceStore.removeAll(run.project_id);
      await stores.projectStore.removeProject(run.project_id);
      expect(await stores.metricSeriesStore.names(run.project_id, other.run_id)).toEqual([]);
    });
  });
}
