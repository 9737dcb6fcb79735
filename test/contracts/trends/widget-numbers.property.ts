import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RELATIVE_ERROR } from '../../../core/record-index/sketch.ts';
import type { RecordType } from '../../../core/traces/catalogue/span-types.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { Aggregation, type Widget } from '../../../core/trends/widget.ts';
import { type SeriesData, toTimeSpan, type WidgetData } from '../../../core/trends/widget-query.ts';
import { WidgetReader } from '../../../core/trends/widget-reader.ts';
import { newRun, type RecordStores, type RunKey, trace, write } from '../traces/record-stores.ts';
import { score } from './trend-store.contract.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-01T22:00:00.000Z');
const TYPES = ['trace', 'llm', 'tool'] as const;
const METRICS = ['duration_ns', 'cost', 'mine', 'records', 'errors', 'quality', 'safe', 'no such'] as const;
const GROUPS = ['type', 'model', 'tags', 'user_metadata/customer', 'status_code'] as const;

/** Generator of a record; numbers are multiples of 1/4, so that sums are exact in any order. */
const drawnRecord = fc.record({
  type: fc.constantFrom(...TYPES),
  minute: fc.integer({ min: 0, max: 59 + 60 * 5 }),
  status: fc.constantFrom(null, 200, 404, 500),
  tags: fc.subarray(['web', 'beta']),
  model: fc.constantFrom(undefined, 'small', 'large'),
  customer: fc.constantFrom(undefined, 'north', 7),
  duration_ns: fc.option(fc.integer({ min: 0, max: 4000 }), { nil: undefined }),
  cost: fc.option(
    fc.integer({ min: 0, max: 40 }).map((n) => n / 4),
    { nil: undefined },
  ),
  mine: fc.option(fc.integer({ min: -20, max: 20 }), { nil: undefined }),
  quality: fc.option(
    fc.integer({ min: 0, max: 4 }).map((n) => n / 4),
    { nil: undefined },
  ),
  safe: fc.option(fc.boolean(), { nil: undefined }),
});
type Drawn = typeof drawnRecord extends fc.Arbitrary<infer T> ? T : never;

const filter = fc.constantFrom(
  { type: 'text', column_id: 'type', operator: 'eq', value: 'llm' },
  { type: 'text', column_id: 'type', operator: 'not_in', value: ['tool'] },
  { type: 'text', column_id: 'model', operator: 'eq', value: 'small' },
  { type: 'number', column_id: 'status_code', operator: 'gte', value: 400 },
  { type: 'collection', column_id: 'tags', operator: 'contains', value: ['web'] },
  { type: 'number', column_id: 'metrics/quality', operator: 'gte', value: 0.5 },
);
const drawnSeries = fc.record(
  {
    metric: fc.constantFrom(...METRICS, 'metrics/quality'),
    aggregation: fc.constantFrom(...Aggregation.options),
    record_types: fc.subarray([...TYPES], { minLength: 1 }),
    filters: fc.array(filter, { maxLength: 2 }),
    group_by: fc.constantFrom(...GROUPS),
  },
  { requiredKeys: ['metric', 'aggregation'] },
);
type Series = typeof drawnSeries extends fc.Arbitrary<infer T> ? T : never;

const drawnQuery = fc.record({
  from: fc.integer({ min: -1, max: 3 }),
  hours: fc.integer({ min: 1, max: 6 }),
  interval: fc.constantFrom('hour', 'day', 'minute', 30, 120),
  exact: fc.boolean(),
  type: fc.constantFrom('line_chart', 'bar_chart', 'number', 'table'),
});

/** A record as the model sees it. */
interface Known extends Drawn {
  readonly at: number;
}

/** The stores are opened once; every case is a run of its own. */
export function widgetNumbersProperty(adapter: string, open: () => Promise<RecordStores>, cases: number): void {
  describe(`widgets against plain arithmetic, ${adapter}`, () => {
    let stores: RecordStores;
    beforeAll(async () => {
      stores = await open();
    });
    afterAll(() => stores.close());

    it('show what the records say', async () => {
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(drawnRecord, { minLength: 1, maxLength: 40 }),
          fc.array(fc.tuple(fc.array(drawnSeries, { minLength: 1, maxLength: 4 }), drawnQuery), { minLength: 1, maxLength: 6 }),
          async (drawn, asked) => {
            const run = await newRun(stores);
            const known = await log(stores, run, drawn);
            for (const [dataset, query] of asked) {
              const span = toTimeSpan(run, {
                start_time: new Date(START + query.from * HOUR).toISOString(),
                end_time: new Date(START + (query.from + query.hours) * HOUR).toISOString(),
                interval: query.interval as 'hour',
              });
              const widget = toWidget(dataset, query.type);
              const reader = new WidgetReader(stores);
              const [data] = await reader.read(span, [widget], { filters: [], max_groups: 50, exact: query.exact });
              const hasPoints = query.type === 'line_chart' || query.type === 'bar_chart';
              for (const [index, series] of dataset.entries())
                compared += compare(data!, index, series, known, query.exact, hasPoints);
            }
          },
        ),
        { numRuns: cases },
      );
      expect(compared).toBeGreaterThan(cases);
    });
  });
}

const toWidget = (dataset: readonly Series[], type: string): Widget => ({
  id: randomUUID(),
  name: 'w',
  type: type as Widget['type'],
  metric: 'records',
  aggregation: 'Count',
  description: '',
  dataset: dataset as unknown as Widget['dataset'],
  section_id: 's',
});

async function log(stores: RecordStores, run: RunKey, drawn: readonly Drawn[]): Promise<Known[]> {
  const parent = trace(run, { created_at: '2020-01-01T00:00:00.000Z' });
  const known = drawn.map((one) => ({ ...one, at: START + one.minute * 60_000 }));
  const records = known.map((one): LogRecord => {
    const id = randomUUID();
    const isTrace = one.type === 'trace';
    const { duration_ns, cost, mine } = one;
    return {
      ...trace(run, { id }),
      type: one.type as RecordType,
      trace_id: isTrace ? id : parent.id,
      parent_id: isTrace ? null : parent.id,
      created_at: new Date(one.at).toISOString(),
      status_code: one.status,
      tags: one.tags,
      attributes: one.model === undefined || one.type !== 'llm' ? {} : { model: one.model },
      user_metadata: one.customer === undefined ? {} : { customer: one.customer },
      metrics: JSON.parse(JSON.stringify({ duration_ns, cost, mine })),
    };
  });
  await write(stores, [parent, ...records]);
  const scores = known.flatMap(({ quality, safe }, index) => [
    ...(quality === undefined ? [] : [score(records[index]!, { value: quality })]),
    ...(safe === undefined ? [] : [score(records[index]!, { metric_name: 'safe', value: safe })]),
  ]);
  await stores.scoreStore.insert(scores);
  await stores.settle();
  return known;
}

/** The number of a record under a name, by the words of the documentation. */
function parseNumber(one: Known, metric: string): number | undefined {
  const name = metric.replace(/^metrics\//, '');
  if (name === 'records') return 1;
  if (name === 'errors') return (one.status ?? 0) >= 400 ? 1 : 0;
  if (name === 'safe') return one.safe === undefined ? undefined : Number(one.safe);
  return { duration_ns: one.duration_ns, cost: one.cost, mine: one.mine, quality: one.quality }[name];
}

function passes(one: Known, { type, column_id, operator, value }: Record<string, unknown>): boolean {
  switch (column_id) {
    case 'type':
      return operator === 'eq' ? one.type === value : !(value as string[]).includes(one.type);
    case 'model':
      return one.type === 'llm' && one.model === value;
    case 'status_code':
      return one.status !== null && one.status >= Number(value);
    case 'tags':
      return one.tags.includes('web');
    case 'metrics/quality':
      return one.quality !== undefined && one.quality >= Number(value);
    default:
      throw new Error(`the model knows no filter ${type} ${column_id}`);
  }
}

function typesFor({ metric, record_types, filters = [] }: Series): readonly string[] {
  if (record_types) return record_types;
  if (filters.some(({ column_id }) => column_id === 'type')) return TYPES;
  const name = metric.replace(/^metrics\//, '');
  return { records: ['trace'], errors: ['trace'], duration_ns: ['trace'], cost: ['llm'] }[name] ?? TYPES;
}

function groupsFor(one: Known, group_by: Series['group_by']): (string | null)[] {
  switch (group_by) {
    case undefined:
      return [null];
    case 'type':
      return [one.type];
    case 'model':
      return [one.type === 'llm' ? (one.model ?? null) : null];
    case 'tags':
      return one.tags.length > 0 ? one.tags : [null];
    case 'status_code':
      return [one.status === null ? null : String(one.status)];
    default:
      return [one.customer === undefined ? null : String(one.customer)];
  }
}

function figure(aggregation: Series['aggregation'], metric: string, values: readonly number[]): number | null {
  const sum = values.reduce((total, value) => total + value, 0);
  if (aggregation === 'Count') return metric === 'errors' ? sum : values.length;
  if (aggregation === 'Sum') return sum;
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  if (aggregation === 'Average') return sum / values.length;
  if (aggregation === 'Min') return sorted[0]!;
  if (aggregation === 'Max') return sorted.at(-1)!;
  if (aggregation === 'PercentageTrue') return (100 * values.filter((value) => value !== 0).length) / values.length;
  if (aggregation === 'PercentageFalse') return (100 * values.filter((value) => value === 0).length) / values.length;
  return sorted[Math.ceil((Number(aggregation.slice(1)) / 100) * values.length) - 1]!;
}

function compare(
  data: WidgetData,
  index: number,
  series: Series,
  known: readonly Known[],
  exact: boolean,
  hasPoints: boolean,
): number {
  const chosen = known.filter(
    (one) =>
      typesFor(series).includes(one.type) &&
      (series.filters ?? []).every((filter) => passes(one, filter)) &&
      parseNumber(one, series.metric) !== undefined,
  );
  const placed = chosen.flatMap((one) => groupsFor(one, series.group_by).map((group) => ({ ...one, group })));
  const within = (from: string, to: string) => placed.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
  const groups = new Set(within(data.start_time, data.end_time).map(({ group }) => group));
  if (series.group_by === undefined) groups.add(null);
  const shown = data.series.filter((one) => one.index === index);
  expect(new Set(shown.map(({ group }) => group)), JSON.stringify(series)).toEqual(groups);
  for (const one of shown) {
    const valuesIn = (from: string, to: string) =>
      within(from, to)
        .filter(({ group }) => group === one.group)
        .map((record) => parseNumber(record, series.metric)!);
    if (exact) expect(one.is_exact).toBe(true);
    const places = [{ ...one, start_time: data.start_time, end_time: data.end_time }, ...one.points];
    for (const { start_time, end_time, value, count } of places) {
      const values = valuesIn(start_time, end_time);
      expect(count).toBe(values.length);
      same(value, figure(series.aggregation, series.metric, values), one);
    }
    expect(one.points.length > 0).toBe(hasPoints);
    if (hasPoints) expect([one.points[0]!.start_time, one.points.at(-1)!.end_time]).toEqual([data.start_time, data.end_time]);
  }
  return shown.length;
}

function same(value: number | null, expected: number | null, { is_exact }: SeriesData): void {
  if (is_exact || value === null || expected === null) expect(value).toBe(expected);
  else expect(Math.abs(value - expected)).toBeLessThanOrEqual(Math.abs(expected) * RELATIVE_ERROR * 1.000001 + 1e-12);
}
