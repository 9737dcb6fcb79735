import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './bench-service.ts';
import { inRounds, interruption } from './interruption.ts';
import { median } from './median.ts';
import type { Measured } from './report.ts';
import { ROWS_PER_TRACE } from './traces.ts';
import { EMPTY } from './volume.ts';

/** Shares of the rows that are there in the end. */
const STEPS = [0.01, 0.1, 1];
const LOAD = { tracesPerRequest: 7, connections: 64, overDays: 30, forMs: 900_000 } as const;
const DAY_MS = 86_400_000;
/** The service goes on getting faster for some seconds, which is no effect of growth. */
const WARM_UP_MS = 10_000;
const INDEX_MS = 1_800_000;
const REPEATS = 7;

const WIDGETS = [
  { name: 'durations', type: 'line_chart', metric: 'duration_ns', aggregation: 'P95', dataset: [] },
  { name: 'quality', type: 'line_chart', metric: 'quality', aggregation: 'Average', dataset: [{ record_types: ['llm'] }] },
];

interface Step {
  readonly rows: number;
  readonly rowsPerSecond: number;
  /** Milliseconds, round by round. */
  readonly page: readonly number[];
  readonly filter: readonly number[];
  readonly trend: readonly number[];
}

/** Measures the same operations while one stream grows a hundredfold. */
export async function measureGrowth(benchService: BenchService, rounds: number, rows: number): Promise<Measured[]> {
  await benchService.api.post(`${getTrends(benchService)}/import?replace=true`, {
    version: 1,
    sections: [{ name: 'bench', widgets: WIDGETS }],
  });
  await benchService.send({ ...LOAD, forMs: WARM_UP_MS });
  await untilIndexed(benchService);
  await benchService.client.query(EMPTY);
  const steps: Step[] = [];
  for (const share of STEPS) {
    const step = await grow(benchService, rounds, Math.round(rows * share), steps.at(-1)?.rows ?? 0);
    console.error(`${step.rows} rows: ${Math.round(step.rowsPerSecond)} rows/s, newest page ${median(step.page).toFixed(1)} ms`);
    steps.push(step);
  }
  return steps.flatMap((step) => toMeasured(step, steps[0]!));
}

function toMeasured(step: Step, first: Step): Measured[] {
  const named = (name: string, unit: string, values: (of: Step) => readonly number[]): Measured => ({
    name: `${name}, ${step.rows.toLocaleString('en')} rows`,
    unit,
    ours: values(step),
    ...(step === first ? {} : { against: { name: `${first.rows.toLocaleString('en')} rows`, values: values(first) } }),
  });
  return [
    named('ingest up to', 'rows/s', ({ rowsPerSecond }) => [rowsPerSecond]),
    named('newest page of 100 spans', 'ms', ({ page }) => page),
    named('newest page with a metric of 1 in 2,000', 'ms', ({ filter }) => filter),
    named('two trends over 30 days by the hour', 'ms', ({ trend }) => trend),
  ];
}

async function grow(benchService: BenchService, rounds: number, rows: number, before: number): Promise<Step> {
  const { api, client, projectId, logStreamId } = benchService;
  const maxRequests = Math.ceil((rows - before) / ROWS_PER_TRACE / LOAD.tracesPerRequest);
  const sent = await benchService.send({ ...LOAD, maxRequests });
  await untilIndexed(benchService);
  await client.query('vacuum analyze');
  const search = (where: object) =>
    api.post(`/projects/${projectId}/spans/search`, { log_stream_id: logStreamId, limit: 100, ...where });
  const high = [{ type: 'number', column_id: 'metrics/quality', operator: 'gte', value: 0.9995 }];
  const now = Date.now();
  const span = { start_time: new Date(now - 30 * DAY_MS).toISOString(), end_time: new Date(now + DAY_MS / 24).toISOString() };
  const measure = async () => ({
    page: await millis(() => search({})),
    filter: await millis(() => search({ filters: high })),
    trend: await millis(() => api.post(`${getTrends(benchService)}/widgets/query`, span)),
  });
  await measure();
  const done = await inRounds(rounds, measure);
  return {
    rows,
    rowsPerSecond: (sent.rows / sent.ms) * 1000,
    page: done.map(({ page }) => page),
    filter: done.map(({ filter }) => filter),
    trend: done.map(({ trend }) => trend),
  };
}

const getTrends = ({ projectId, logStreamId }: BenchService): string =>
  `/projects/${projectId}/log_streams/${logStreamId}/trends`;

async function untilIndexed({ api }: BenchService): Promise<void> {
  for (const deadline = performance.now() + INDEX_MS; (await api.gauge('touchstone_index_backlog')) > 0; await sleep(200)) {
    interruption.throwIfAborted();
    if (performance.now() > deadline) throw new Error('the index does not catch up');
  }
}

async function millis(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < REPEATS; at += 1) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  return median(times);
}
