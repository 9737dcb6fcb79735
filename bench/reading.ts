import type { BenchService } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import { median } from './median.ts';
import type { Measured } from './report.ts';
import { ROWS_PER_TRACE } from './traces.ts';

const PAGE = 100;
const REPEATS = 10;
const TRACES_PER_REQUEST = 7;
const SEED_MS = 60_000;

interface Page {
  readonly last_row_id: string;
  readonly records: readonly { readonly id: string; readonly trace_id: string }[];
}

/** Pages of a long stream at its start and deep inside, and one trace. */
export async function measureReading(benchService: BenchService, rounds: number, streamRows: number): Promise<Measured[]> {
  await fill(benchService, streamRows);
  const search = async (where: object): Promise<Page> =>
    (await benchService.api.post(`/projects/${benchService.projectId}/spans/search`, {
      log_stream_id: benchService.logStreamId,
      limit: PAGE,
      ...where,
    })) as unknown as Page;
  const depth = Math.floor(streamRows * 0.75);
  const before = await search({ starting_token: depth - PAGE });
  const [some] = (await search({})).records;
  const measure = async () => ({
    first: await millis(() => search({})),
    offset: await millis(() => search({ starting_token: depth })),
    keyset: await millis(() => search({ previous_last_row_id: before.last_row_id })),
    trace: await millis(() => benchService.api.get(`/projects/${benchService.projectId}/traces/${some!.trace_id}`)),
  });
  await measure();
  const done = await inRounds(rounds, measure);
  const first = { name: 'first page', values: done.map((round) => round.first) };
  const unit = 'ms';
  return [
    {
      name: `page of ${PAGE} spans at depth ${depth}, behind a record`,
      unit,
      ours: done.map(({ keyset }) => keyset),
      against: first,
      target: { better: 'lower', reach: 1.5, aim: 1.1 },
    },
    { name: `page of ${PAGE} spans at depth ${depth}, by number`, unit, ours: done.map(({ offset }) => offset), against: first },
    { name: `tree of one trace, ${ROWS_PER_TRACE} records`, unit, ours: done.map(({ trace }) => trace) },
  ];
}

async function fill(benchService: BenchService, rows: number): Promise<void> {
  await benchService.client.query('truncate records');
  const maxRequests = Math.ceil(rows / ROWS_PER_TRACE / TRACES_PER_REQUEST);
  await benchService.send({ tracesPerRequest: TRACES_PER_REQUEST, connections: 16, forMs: SEED_MS, maxRequests });
  await benchService.client.query('vacuum analyze records');
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
