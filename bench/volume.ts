import { setTimeout as sleep } from 'node:timers/promises';
import { openOrm } from '../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../adapters/postgres/database/postgres-session.ts';
import { PostgresTrendStore } from '../adapters/postgres/trends/postgres-trend-store.ts';
import type { BenchService } from './bench-service.ts';
import { inRounds, interruption } from './interruption.ts';
import { median } from './median.ts';
import type { Measured } from './report.ts';
import { ROWS_PER_TRACE } from './traces.ts';

const PAGE = 100;
const REPEATS = 7;
const LOAD = { tracesPerRequest: 7, connections: 64 } as const;
const FILL_MS = 900_000;
const DAYS = 30;
const STREAMS = 10_000;
const INDEX_MS = 1_800_000;
const WARM_UP_MS = 4_000;
const SAMPLE_MS = 50;
/** Empties everything that records fill. */
export const EMPTY = `truncate records, record_changes, run_counts, indexed_records, record_numbers, hourly_numbers, word_blocks, word_postings`;
const MEBIBYTE = 1024 * 1024;
/** More than the service lets in at once. */
const OVERLOAD = { tracesPerRequest: 14, connections: 1_000 } as const;
const OVERLOAD_MS = 10_000;

/** How answers and costs change from an empty stream to one of many rows. */
export async function measureVolume(
  benchService: BenchService,
  rounds: number,
  sliceMs: number,
  rows: number,
): Promise<Measured[]> {
  await benchService.send({ ...LOAD, forMs: WARM_UP_MS });
  const empty = await inRounds(rounds, () => ingestRate(benchService, sliceMs, true));
  await benchService.client.query(EMPTY);
  await fill(benchService, rows);
  const indexed = await indexRate(benchService);
  await benchService.client.query('vacuum analyze');
  const read = await reading(benchService, rounds, rows);
  const trends = await trendsAgainstRaw(benchService, rounds);
  const exported = await exporting(benchService, rows);
  const streams = await listing(benchService, rounds);
  const full = await inRounds(rounds, () => ingestRate(benchService, sliceMs, false));
  const overload = await overloading(benchService);
  const many = rows.toLocaleString('en');
  return [
    {
      name: `ingest into ${many} rows`,
      unit: 'rows/s',
      ours: full,
      against: { name: 'into an empty table', values: empty },
      target: { better: 'higher', reach: 0.85 },
    },
    { name: 'records indexed behind it', unit: 'rows/s', ours: [indexed] },
    ...read,
    ...trends,
    ...exported,
    ...streams,
    ...overload,
  ];
}

/** A sender that is faster than the service can store: what is refused is sent again. */
async function overloading({ api, client, send }: BenchService): Promise<Measured[]> {
  const stored = async () => Number((await client.query('select count(*) as stored from records')).rows[0].stored);
  const before = { rows: await stored(), memory: await api.gauge('process_resident_memory_bytes') };
  const { result, peak } = await watchingMemory(api, () => send({ ...OVERLOAD, forMs: OVERLOAD_MS }));
  const lost = result.rows - ((await stored()) - before.rows);
  const asked = { name: 'requests taken', values: [result.requests] };
  return [
    { name: 'refusals of a sender that is too fast', unit: '', ours: [result.refused], against: asked },
    { name: 'rows acknowledged to it that are not there', unit: '', ours: [lost] },
    {
      name: 'memory of the service at its highest, refusing',
      unit: 'MiB',
      ours: [peak / MEBIBYTE],
      against: { name: 'before', values: [before.memory / MEBIBYTE] },
    },
  ];
}

async function watchingMemory<T>(api: BenchService['api'], work: () => Promise<T>): Promise<{ result: T; peak: number }> {
  let peak = 0;
  let done = false;
  const watching = (async () => {
    for (; !done; await sleep(SAMPLE_MS)) {
      const now = await api.gauge('process_resident_memory_bytes');
      // Who is overloaded may refuse to tell.
      if (Number.isFinite(now)) peak = Math.max(peak, now);
    }
  })();
  const result = await work().finally(() => {
    done = true;
  });
  await watching;
  return { result, peak };
}

async function ingestRate(benchService: BenchService, forMs: number, intoEmpty: boolean): Promise<number> {
  if (intoEmpty) await benchService.client.query(EMPTY);
  const { rows, ms } = await benchService.send({ ...LOAD, forMs });
  return (rows / ms) * 1000;
}

async function fill(benchService: BenchService, rows: number): Promise<void> {
  console.error(`loading ${rows} rows …`);
  const maxRequests = Math.ceil(rows / ROWS_PER_TRACE / LOAD.tracesPerRequest);
  await benchService.send({ ...LOAD, overDays: DAYS, forMs: FILL_MS, maxRequests });
}

/** Waits until the index has caught up; returns how fast it was without anybody else at work. */
async function indexRate({ api, client }: BenchService): Promise<number> {
  console.error('waiting for the index …');
  const indexed = async () => Number((await client.query('select count(*) as rows from indexed_records')).rows[0].rows);
  const before = await indexed();
  const began = performance.now();
  while ((await api.gauge('touchstone_index_backlog')) > 0) {
    interruption.throwIfAborted();
    if (performance.now() - began > INDEX_MS) throw new Error('the index does not catch up');
    await sleep(200);
  }
  const seconds = (performance.now() - began) / 1000;
  return ((await indexed()) - before) / seconds;
}

async function reading({ api, projectId, logStreamId }: BenchService, rounds: number, rows: number): Promise<Measured[]> {
  const at = (path: string) => `/projects/${projectId}/${path}`;
  const search = (where: object) => api.post(at('spans/search'), { log_stream_id: logStreamId, limit: PAGE, ...where });
  const depth = Math.min(200_000, Math.floor(rows * 0.5));
  const before = await search({ starting_token: depth - PAGE });
  const [some] = (await search({})).records as { trace_id: string }[];
  const high = [{ type: 'number', column_id: 'metrics/quality', operator: 'gte', value: 0.9995 }];
  const text = [{ type: 'text', column_id: 'output', operator: 'contains', value: 'no such text anywhere' }];
  const word = (value: string) => [{ type: 'text', column_id: 'words', operator: 'contains', value }];
  const measure = async () => ({
    first: await millis(() => search({})),
    offset: await millis(() => search({ starting_token: depth })),
    keyset: await millis(() => search({ previous_last_row_id: before.last_row_id })),
    high: await millis(() => search({ filters: high })),
    noWord: await millis(() => search({ filters: word('nosuchword') })),
    word: await millis(() => search({ filters: word('ka') })),
    text: await millis(() => search({ filters: text }), 1),
    count: await millis(() => api.post(at('spans/count'), { log_stream_id: logStreamId })),
    trace: await millis(() => api.get(at(`traces/${some!.trace_id}`))),
  });
  await measure();
  const done = await inRounds(rounds, measure);
  const unit = 'ms';
  const first = { name: 'first page', values: done.map((round) => round.first) };
  const target = { better: 'lower', reach: 1.5 } as const;
  return [
    { name: `newest page of ${PAGE} spans`, unit, ours: first.values },
    { name: `page at depth ${depth}, by number`, unit, ours: done.map(({ offset }) => offset), against: first, target },
    { name: `page at depth ${depth}, behind a record`, unit, ours: done.map(({ keyset }) => keyset), against: first, target },
    { name: 'newest page with a metric of 1 in 2,000', unit, ours: done.map(({ high: ms }) => ms), against: first },
    { name: 'search for a word that is nowhere', unit, ours: done.map(({ noWord }) => noWord), against: first },
    { name: 'search for a word that is everywhere', unit, ours: done.map(({ word: ms }) => ms), against: first },
    { name: 'search for a text that is nowhere', unit, ours: done.map(({ text }) => text), against: first },
    { name: 'count of all spans', unit, ours: done.map(({ count }) => count) },
    { name: 'tree of one trace', unit, ours: done.map(({ trace }) => trace) },
  ];
}

/** The hourly averages and p95 of a month, from the roll-up and from the records. */
async function trendsAgainstRaw(benchService: BenchService, rounds: number): Promise<Measured[]> {
  const orm = await openOrm({ url: benchService.databaseUrl, poolSize: 1 });
  try {
    const session = new PostgresSession({ orm });
    const store = new PostgresTrendStore({ session });
    const now = Date.now();
    const [from, to] = [new Date(now - DAYS * 86_400_000).toISOString(), new Date(now + 3_600_000).toISOString()];
    const run = { project_id: benchService.projectId, run_id: benchService.logStreamId };
    const rollUp = () => store.hourly({ ...run, names: ['quality'], from, to }, false);
    const raw = () =>
      session.sql(
        `select date_trunc('hour', created_at) as hour, avg((metrics ->> 'quality')::float8) as mean from records
         where project_id = $1 and run_id = $2 and not is_trace and created_at >= $3::timestamptz and created_at < $4::timestamptz
         group by 1`,
        [run.project_id, run.run_id, from, to],
      );
    const done = await inRounds(rounds, async () => ({ rollUp: await millis(rollUp), raw: await millis(raw, 1) }));
    return [
      {
        name: 'hourly average of a month from the records',
        unit: 'ms',
        ours: done.map((round) => round.raw),
        against: { name: 'from the roll-up', values: done.map((round) => round.rollUp) },
        target: { better: 'higher', reach: 50, aim: 100 },
      },
    ];
  } finally {
    await orm.close(true);
  }
}

async function exporting({ api, projectId, logStreamId }: BenchService, rows: number): Promise<Measured[]> {
  const before = await api.gauge('process_resident_memory_bytes');
  const began = performance.now();
  const wanted = { log_stream_id: logStreamId, root_type: 'span', export_format: 'jsonl' };
  const { peak } = await watchingMemory(api, () => api.drain(`/projects/${projectId}/export_records`, wanted));
  const seconds = (performance.now() - began) / 1000;
  const spans = (rows * (ROWS_PER_TRACE - 1)) / ROWS_PER_TRACE;
  return [
    { name: 'export of all spans', unit: 'rows/s', ours: [spans / seconds] },
    {
      name: 'memory of the service at its highest, exporting',
      unit: 'MiB',
      ours: [peak / MEBIBYTE],
      against: { name: 'before', values: [before / MEBIBYTE] },
    },
  ];
}

/** The list of log streams that clients scan for a name. */
async function listing({ api, client, projectId }: BenchService, rounds: number): Promise<Measured[]> {
  const list = (query: string) => api.get(`/projects/${projectId}/log_streams${query}`);
  const few = await inRounds(rounds, () => millis(() => list('?include_counts=true')));
  await client.query(
    `insert into runs (project_id, id, kind, name, created_by, has_user_created_sessions, metric_settings, settings_revision, created_at, updated_at)
     select $1, gen_random_uuid(), 'log_stream', 'stream ' || number, null, false, '{"scorers":[],"segment_filters":[]}', 0, now(), now()
     from generate_series(1, $2::int) as number`,
    [projectId, STREAMS],
  );
  const many = await inRounds(rounds, () => millis(() => list('?include_counts=true'), 3));
  const page = await inRounds(rounds, () => millis(() => list('/paginated?include_counts=true')));
  return [
    { name: 'list of 1 log stream with counts', unit: 'ms', ours: few },
    { name: `list of ${STREAMS.toLocaleString('en')} log streams with counts`, unit: 'ms', ours: many },
    { name: 'page of 100 of them', unit: 'ms', ours: page },
  ];
}

async function millis(read: () => Promise<unknown>, repeats = REPEATS): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < repeats; at += 1) {
    const began = performance.now();
    await read();
    times.push(performance.now() - began);
  }
  return median(times);
}
