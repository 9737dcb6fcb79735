import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './bench-service.ts';
import { inRounds, interruption } from './interruption.ts';
import type { Measured } from './report.ts';
import { ROWS_PER_TRACE } from './traces.ts';

const DAYS = 30;
const LOAD = { tracesPerRequest: 7, connections: 64, overDays: DAYS, forMs: 900_000 } as const;
const INDEX_MS = 1_800_000;

/** SQL of each aggregation over a number `v`. */
const SQL = {
  Count: 'count(v)',
  Sum: 'sum(v)',
  Average: 'avg(v)',
  Max: 'max(v)',
  P50: 'percentile_disc(0.5) within group (order by v)',
  P95: 'percentile_disc(0.95) within group (order by v)',
} as const;
type Aggregation = keyof typeof SQL;
const AGGREGATIONS = Object.keys(SQL) as Aggregation[];

/** Numbers that records of the stream have, by the type of record that widgets read them from. */
const METRICS = [
  { metric: 'duration_ns', type: 'trace' },
  { metric: 'num_input_tokens', type: 'llm' },
  { metric: 'num_output_tokens', type: 'llm' },
  { metric: 'num_total_tokens', type: 'llm' },
  { metric: 'quality', type: 'llm' },
] as const;
const WIDGETS = METRICS.flatMap((one) => AGGREGATIONS.map((aggregation) => ({ ...one, aggregation })));

/** A dashboard of 30 widgets over 30 days by the hour, in one call, and the same figures from the records. */
export async function measureTrends(benchService: BenchService, rounds: number, rows: number): Promise<Measured[]> {
  await fill(benchService, rows);
  await benchService.client.query('vacuum analyze');
  await benchService.api.post(`${getTrends(benchService)}/import?replace=true`, {
    version: 1,
    sections: [{ name: 'bench', widgets: WIDGETS.map(({ metric, aggregation }) => drawn(metric, aggregation)) }],
  });
  const now = Date.now();
  const [from, to] = [new Date(now - DAYS * 86_400_000).toISOString(), new Date(now + 3_600_000).toISOString()];
  const dashboard = (more: object = {}) =>
    millis(() => benchService.api.post(`${getTrends(benchService)}/widgets/query`, { start_time: from, end_time: to, ...more }));
  await dashboard();
  const done = await inRounds(rounds, async () => ({
    hourly: await dashboard(),
    daily: await dashboard({ interval: 'day' }),
    raw: await millis(() => fromRecords(benchService, from, to)),
  }));
  const exact = await inRounds(1, () => dashboard({ exact: true }));
  const widgets = `${WIDGETS.length} widgets over ${DAYS} days of ${rows.toLocaleString('en')} rows`;
  const against = { name: 'in one call', values: done.map(({ hourly }) => hourly) };
  return [
    { name: `${widgets}, by the hour, in one call`, unit: 'ms', ours: done.map(({ hourly }) => hourly) },
    { name: `${widgets}, by the day, in one call`, unit: 'ms', ours: done.map(({ daily }) => daily) },
    { name: 'the same with exact percentiles', unit: 'ms', ours: exact, against },
    {
      name: 'the same from the records, by the hour',
      unit: 'ms',
      ours: done.map(({ raw }) => raw),
      against,
      target: { better: 'higher', reach: 10, aim: 50 },
    },
  ];
}

const getTrends = ({ projectId, logStreamId }: BenchService): string =>
  `/projects/${projectId}/log_streams/${logStreamId}/trends`;

const drawn = (metric: string, aggregation: Aggregation) => ({
  name: `${aggregation} of ${metric}`,
  type: 'line_chart',
  metric,
  aggregation,
  dataset: metric === 'quality' ? [{ record_types: ['llm'] }] : [],
});

/** Writes the rows and waits until the roll-up has them. */
async function fill(benchService: BenchService, rows: number): Promise<void> {
  console.error(`loading ${rows} rows …`);
  await benchService.send({ ...LOAD, maxRequests: Math.ceil(rows / ROWS_PER_TRACE / LOAD.tracesPerRequest) });
  console.error('waiting for the index …');
  const began = performance.now();
  while ((await benchService.api.gauge('touchstone_index_backlog')) > 0) {
    interruption.throwIfAborted();
    if (performance.now() - began > INDEX_MS) throw new Error('the index does not catch up');
    await sleep(500);
  }
}

async function fromRecords({ client, projectId, logStreamId }: BenchService, from: string, to: string): Promise<void> {
  for (const { metric, type, aggregation } of WIDGETS)
    await client.query(
      `select hour, ${SQL[aggregation]} from (
         select date_trunc('hour', created_at) as hour, (metrics ->> $5)::float8 as v from records
         where project_id = $1 and run_id = $2 and is_trace = ($6 = 'trace') and type = $6
           and created_at >= $3::timestamptz and created_at < $4::timestamptz
       ) numbers group by hour`,
      [projectId, logStreamId, from, to, metric, type],
    );
}

async function millis(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
