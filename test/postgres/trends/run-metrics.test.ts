import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresRunMetrics } from '../../../adapters/postgres/trends/postgres-run-metrics.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MetricNumbers, MetricsQuery } from '../../../core/trends/run-metrics.ts';
import { newRun, span, trace, write } from '../../contracts/traces/record-stores.ts';
import { runMetricsContract } from '../../contracts/trends/run-metrics.contract.ts';
import { score } from '../../contracts/trends/trend-store.contract.ts';
import { openPostgresStores, type PostgresStores } from '../../setup/postgres-stores.ts';

runMetricsContract('PostgreSQL', openPostgresStores);

const FROM = '2026-01-02T00:00:00.000Z';
const TO = '2026-01-02T06:00:00.000Z';
const PERCENTILES = ['p50_duration_ns', 'p95_duration_ns'];

describe('numbers of a run over time, from the hourly roll-up', () => {
  let stores: PostgresStores;
  beforeAll(async () => {
    stores = await openPostgresStores();
  });
  afterAll(() => stores.close());

  const at = (hour: number, minute: number): string => new Date(Date.parse(FROM) + (hour * 60 + minute) * 60_000).toISOString();
  const exact = (numbers: MetricNumbers) => Object.entries(numbers).filter(([name]) => !PERCENTILES.includes(name));

  it('are those of the records; percentiles nearly so', async () => {
    const run = await newRun(stores);
    const records: LogRecord[] = [];
    for (let number = 0; number < 300; number += 1) {
      const created_at = at(number % 5, number % 50);
      const own = { created_at, status_code: number % 3 ? 200 : 500 };
      const root = trace(run, { ...own, metrics: { duration_ns: 1_000 + number * 17 } });
      const call = span(root, { type: 'llm', created_at, metrics: { num_input_tokens: number, cost: 0.25 } });
      records.push(root, call, span(root, { type: 'tool', created_at, metrics: { num_input_tokens: 1_000, duration_ns: 1 } }));
    }
    await write(stores, [...records, trace(run, { created_at: TO }), trace(run, { created_at: at(-1, 59) })]);
    await stores.scoreStore.insert(
      records
        .slice(0, 90)
        .map((record, number) =>
          score(record, { metric_name: number % 2 ? 'quality' : 'safe', value: number % 2 ? number : true }),
        ),
    );
    await stores.settle();
    const { session } = stores.database;
    const [hourly, single] = [0, Number.MAX_SAFE_INTEGER].map((manyRecords) => new PostgresRunMetrics({ session, manyRecords }));
    for (const hours of [1, 2, 6, 24]) {
      const selection = { ...run, level: 'trace', where: { and: [] } } as const;
      const query: MetricsQuery = {
        selection,
        from: FROM,
        to: TO,
        interval_minutes: hours * 60,
        group_by: undefined,
        max_rows: 100,
      };
      const [found, expected] = [await hourly!.measure(query), await single!.measure(query)];
      const sorted = ({ buckets }: typeof found) => buckets.toSorted((a, b) => a.bucket - b.bucket);
      expect(sorted(found).map(({ bucket }) => bucket)).toEqual(sorted(expected).map(({ bucket }) => bucket));
      const pairs = [
        [found.total, expected.total],
        ...sorted(found).map(({ numbers }, place) => [numbers, sorted(expected)[place]!.numbers]),
      ];
      for (const [ours, theirs] of pairs) {
        expect(Object.fromEntries(exact(ours!))).toEqual(Object.fromEntries(exact(theirs!)));
        for (const name of PERCENTILES) expect(ours![name]! / theirs![name]!).toBeCloseTo(1, 1);
      }
      expect(found.total.requests).toBe(300);
    }
  });

  it('are asked for only where hours fill the buckets, all traces are meant and there are many', async () => {
    const run = await newRun(stores);
    await write(stores, [trace(run, { created_at: at(1, 1), name: 'one' })]);
    // Not indexed yet: the roll-up would know nothing of it.
    const metrics = new PostgresRunMetrics({ session: stores.database.session, manyRecords: 0 });
    const where = {
      and: [{ filter: { type: 'text', column_id: 'name', operator: 'eq', value: 'one', case_sensitive: true } }],
    } as const;
    const selection = { ...run, level: 'trace', where: { and: [] } } as const;
    const query: MetricsQuery = { selection, from: FROM, to: TO, interval_minutes: 60, group_by: undefined, max_rows: 100 };
    const requests = async (more: Partial<MetricsQuery>) => (await metrics.measure({ ...query, ...more })).total.requests;
    expect(await requests({ interval_minutes: 30 })).toBe(1);
    expect(await requests({ from: at(0, 30) })).toBe(1);
    expect(await requests({ group_by: 'name' })).toBe(1);
    expect(await requests({ selection: { ...selection, where } })).toBe(1);
    expect(await requests({})).toBe(1);
    await stores.database.session.sql('insert into run_counts values ($1, $2, 0, 0)', [run.project_id, run.run_id]);
    expect(await requests({})).toBe(0);
  });
});
