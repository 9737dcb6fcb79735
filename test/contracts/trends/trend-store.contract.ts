import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Score } from '../../../core/scores/score.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MetricSelection } from '../../../core/trends/trend-store.ts';
import { newRun, type RecordStores, type RunKey, span, trace, write } from '../traces/record-stores.ts';

const DAY = { from: '2026-01-02T00:00:00Z', to: '2026-01-03T00:00:00Z' };

export const score = ({ project_id, run_id, id }: LogRecord, facts: Partial<Score> = {}): Score => ({
  project_id,
  run_id,
  record_id: id,
  scorer_id: randomUUID(),
  scorer_version_id: randomUUID(),
  metric_name: 'quality',
  status_type: 'success',
  value: 1,
  explanation: null,
  message: null,
  effort: null,
  judged: null,
  times_scored: 1,
  scored_at: '2026-01-02T03:04:05.678Z',
  ...facts,
});

/** The stores are opened once; every test works in a run of its own. */
export function trendStoreContract(adapter: string, open: () => Promise<RecordStores>): void {
  describe(`TrendStore, ${adapter}`, () => {
    let stores: RecordStores;
    let run: RunKey;
    beforeAll(async () => {
      stores = await open();
    });
    beforeEach(async () => {
      run = await newRun(stores);
    });
    afterAll(() => stores.close());

    const numbers = async (names: string[], more: Partial<MetricSelection> = {}, limit = 100) => {
      await stores.settle();
      const found = await stores.trendStore.metrics({ ...run, names, ...DAY, ...more }, limit);
      return found.map(({ name, value }) => [name, value]);
    };
    const hourly = async (names: string[], more: Partial<MetricSelection> = {}, withSketches = false) => {
      await stores.settle();
      return stores.trendStore.hourly({ ...run, names, ...DAY, ...more }, withSketches);
    };
    const at = (time: string, metrics: LogRecord['metrics'] = {}) => trace(run, { created_at: `2026-01-02T${time}Z`, metrics });

    it('has the numbers of records as they were logged, oldest first', async () => {
      const later = at('05:00:00', { cost: 2, model: 'x' });
      const earlier = at('04:00:00.000001', { cost: 1 });
      await write(stores, [later, earlier]);
      await stores.settle();
      expect(await stores.trendStore.metrics({ ...run, names: ['cost'], ...DAY }, 10)).toEqual([
        { record_id: earlier.id, name: 'cost', type: 'trace', value: 1, created_at: '2026-01-02T04:00:00.000001Z' },
        {
          record_id: later.id,
          name: 'cost',
          type: 'trace',
          value: 2,
          created_at: expect.stringMatching(/^2026-01-02T05:00:00(\.0+)?Z$/),
        },
      ]);
      expect(await numbers(['cost'], {}, 1)).toEqual([['cost', 1]]);
    });

    it('follows a record that is sent again', async () => {
      const record = at('04:00:00', { cost: 1, tokens: 7 });
      await write(stores, [record]);
      expect(await numbers(['cost', 'tokens'])).toEqual([
        ['cost', 1],
        ['tokens', 7],
      ]);
      await write(stores, [{ ...record, metrics: { cost: 5 } }]);
      expect(await numbers(['cost', 'tokens'])).toEqual([['cost', 5]]);
      expect(await hourly(['cost', 'tokens'])).toMatchObject([{ name: 'cost', count: 1, sum: 5, min: 5, max: 5 }]);
    });

    it('follows a record that is changed', async () => {
      const record = at('04:00:00', { cost: 1 });
      await write(stores, [record]);
      await numbers(['cost']);
      const change = (before: LogRecord) => ({ ...before, metrics: { cost: 3 }, status_code: 500 });
      await stores.traceStore.amend(run.project_id, run.run_id, record.id, change, () => false);
      expect(await numbers(['cost', 'errors'])).toEqual([['cost', 3]]);
      expect(await hourly(['errors'])).toMatchObject([{ count: 1, sum: 1, min: 1, max: 1 }]);
    });

    it('has the results of scorers, the last of several', async () => {
      const record = at('04:00:00', { quality: 9 });
      await write(stores, [record]);
      await numbers(['quality']);
      await stores.scoreStore.insert([score(record, { value: true })]);
      expect(await numbers(['quality'])).toEqual([['quality', 1]]);
      await stores.scoreStore.insert([score(record, { value: 0.25, scored_at: '2026-01-02T03:04:06Z' })]);
      expect(await numbers(['quality'])).toEqual([['quality', 0.25]]);
    });

    it('sums up by hour, name and type', async () => {
      const first = at('04:10:00', { cost: 1 });
      const call = span(first, { type: 'llm', created_at: '2026-01-02T04:20:00Z', metrics: { cost: 10 } });
      await write(stores, [first, call, at('04:59:59.999999', { cost: 3 }), at('05:00:00', { cost: 4 })]);
      expect(await hourly(['cost'])).toEqual([
        { name: 'cost', type: 'llm', hour: '2026-01-02T04:00:00.000Z', count: 1, sum: 10, min: 10, max: 10, sketch: {} },
        { name: 'cost', type: 'trace', hour: '2026-01-02T04:00:00.000Z', count: 2, sum: 4, min: 1, max: 3, sketch: {} },
        { name: 'cost', type: 'trace', hour: '2026-01-02T05:00:00.000Z', count: 1, sum: 4, min: 4, max: 4, sketch: {} },
      ]);
      expect(await hourly(['cost'], { types: ['llm'] })).toHaveLength(1);
      const [withSketch] = await hourly(['cost'], { types: ['llm'] }, true);
      expect(Object.values(withSketch!.sketch)).toEqual([1]);
    });

    it('counts records and errors of every run', async () => {
      await write(stores, [at('04:00:00'), { ...at('04:00:01'), status_code: 404 }]);
      expect(await hourly(['records', 'errors'])).toMatchObject([
        { name: 'errors', count: 2, sum: 1 },
        { name: 'records', count: 2, sum: 2 },
      ]);
    });

    it('takes the selected time without its end', async () => {
      await write(stores, [at('04:00:00', { cost: 1 }), at('05:00:00', { cost: 2 })]);
      const until = { from: '2026-01-02T04:00:00Z', to: '2026-01-02T05:00:00Z' };
      expect(await numbers(['cost'], until)).toEqual([['cost', 1]]);
      expect(await hourly(['cost'], until)).toHaveLength(1);
    });

    it('keeps runs and projects apart', async () => {
      const other = await newRun(stores, run.project_id);
      const record = at('04:00:00', { cost: 1 });
      await write(stores, [record]);
      await write(stores, [{ ...record, run_id: other.run_id, metrics: { cost: 2 } }]);
      expect(await numbers(['cost'])).toEqual([['cost', 1]]);
      expect(await numbers(['cost'], other)).toEqual([['cost', 2]]);
      expect(await numbers(['cost'], { project_id: randomUUID() })).toEqual([]);
    });

    it('names what a run has numbers of', async () => {
      await write(stores, [at('04:00:00', { 'my metric': 1, '\0odd': 2, text: 'x' })]);
      await stores.settle();
      expect(await stores.trendStore.names(run.project_id, run.run_id)).toEqual(['\0odd', 'errors', 'my metric', 'records']);
      expect(await numbers(['\0odd'])).toEqual([['\0odd', 2]]);
    });

    it('forgets a run that is removed', async () => {
      await write(stores, [at('04:00:00', { cost: 1 })]);
      await numbers(['cost']);
      await write(stores, [at('04:00:00', { cost: 1 })]);
      await stores.traceStore.removeAll(run.project_id, run.run_id);
      expect(await numbers(['cost'])).toEqual([]);
      expect(await hourly(['cost', 'records'])).toEqual([]);
      expect(await stores.trendStore.names(run.project_id, run.run_id)).toEqual([]);
    });
  });

  describe(`counts of a run, ${adapter}`, () => {
    let stores: RecordStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());

    it('are right at once, and stay so', async () => {
      const run = await newRun(stores);
      const counts = async () => (await stores.traceStore.counts(run.project_id, [run.run_id])).get(run.run_id);
      const record = trace(run);
      await write(stores, [record, span(record), span(record)]);
      expect(await counts()).toEqual({ num_traces: 1, num_spans: 2 });
      await stores.settle();
      await write(stores, [{ ...record, name: 'changed' }]);
      await write(stores, [record]);
      await write(stores, [span(record)]);
      expect(await counts()).toEqual({ num_traces: 1, num_spans: 3 });
      await stores.settle();
      expect(await counts()).toEqual({ num_traces: 1, num_spans: 3 });
    });
  });
}
