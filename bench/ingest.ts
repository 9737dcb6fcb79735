import type { BenchService } from './bench-service.ts';
import { type CopyFormat, CopyTable, settle } from './copy-table.ts';
import { inRounds } from './interruption.ts';
import type { LoadJob, LoadReport } from './load-job.ts';
import type { Measured } from './report.ts';

const CONNECTIONS = 64;
/** COPY then takes about half of the time that the service is given. */
const COPIED_ROWS_PER_MS = 8;
/** The service goes on getting faster for about ten seconds. */
const WARM_UP_MS = 4_000;

const SENT = {
  big: { tracesPerRequest: 7, connections: CONNECTIONS },
  small: { tracesPerRequest: 1, connections: CONNECTIONS },
  repeated: { tracesPerRequest: 7, connections: CONNECTIONS, repeats: 0.05 },
} as const;
type Kind = keyof typeof SENT;

interface Round {
  readonly sent: Readonly<Record<Kind, LoadReport>>;
  readonly cpuMicros: number;
  readonly copied: Readonly<Record<CopyFormat | 'values', number>>;
}

/** Durable ingest over HTTP against COPY of the same rows, stretch by stretch. */
export async function measureIngest(benchService: BenchService, rounds: number, sliceMs: number): Promise<Measured[]> {
  const table = await CopyTable.create(benchService.client);
  for (const job of Object.values(SENT)) await send(benchService, { ...job, forMs: WARM_UP_MS });
  return toMeasured(await inRounds(rounds, () => round(benchService, table, sliceMs)));
}

async function round(benchService: BenchService, table: CopyTable, forMs: number): Promise<Round> {
  const cpu = await benchService.api.cpuSeconds();
  const big = await send(benchService, { ...SENT.big, forMs });
  const cpuMicros = (((await benchService.api.cpuSeconds()) - cpu) * 1e6) / big.rows;
  const rows = forMs * COPIED_ROWS_PER_MS;
  const copied = {
    values: await table.writeValues(await table.values(rows)),
    text: await copy(table, 'text', rows),
    binary: await copy(table, 'binary', rows),
  };
  const repeated = await send(benchService, { ...SENT.repeated, forMs });
  const small = await send(benchService, { ...SENT.small, forMs });
  return { sent: { big, small, repeated }, cpuMicros, copied };
}

/** Into an empty table each time, as COPY does. */
async function send(
  benchService: BenchService,
  job: Pick<LoadJob, 'tracesPerRequest' | 'connections' | 'forMs'>,
): Promise<LoadReport> {
  await benchService.client.query('truncate records');
  await settle(benchService.client);
  return benchService.send(job);
}

async function copy(table: CopyTable, format: CopyFormat, rows: number): Promise<number> {
  return table.write(format, await table.batches(format, rows));
}

function toMeasured(rounds: readonly Round[]): Measured[] {
  const rate = (kind: Kind): number[] => rounds.map(({ sent }) => (sent[kind].rows / sent[kind].ms) * 1000);
  const copied = (format: CopyFormat | 'values'): number[] => rounds.map((each) => each.copied[format]);
  const copy = { name: 'COPY, one connection', values: copied('values') };
  const best = rounds.map(({ copied }) => Math.max(copied.text, copied.binary));
  const encoded = { name: 'COPY, encoded beforehand', values: best };
  return [
    {
      name: 'ingest, 7 traces a request, c=64',
      unit: 'rows/s',
      ours: rate('big'),
      against: copy,
      target: { better: 'higher', reach: 0.7, aim: 0.95 },
    },
    {
      name: 'ingest, 1 trace a request, c=64',
      unit: 'rows/s',
      ours: rate('small'),
      against: copy,
      target: { better: 'higher', reach: 0.4, aim: 0.6 },
    },
    { name: 'the same two', unit: 'rows/s', ours: rate('big'), against: encoded },
    { name: '', unit: 'rows/s', ours: rate('small'), against: encoded },
    {
      name: 'ingest, 5 % repeated requests, c=64',
      unit: 'rows/s',
      ours: rate('repeated'),
      against: { name: 'no repeats', values: rate('big') },
      target: { better: 'higher', reach: 0.9, aim: 1 },
    },
    {
      name: 'processor time of the service, 7 traces a request',
      unit: 'us/row',
      ours: rounds.map(({ cpuMicros }) => cpuMicros),
      target: { better: 'lower', reach: 15, aim: 9 },
    },
    { name: 'COPY text, encoded beforehand', unit: 'rows/s', ours: copied('text') },
    { name: 'COPY binary, encoded beforehand', unit: 'rows/s', ours: copied('binary') },
    { name: 'latency p50, 7 traces a request, c=64', unit: 'ms', ours: rounds.map(({ sent }) => sent.big.p50) },
    { name: 'latency p99, 7 traces a request, c=64', unit: 'ms', ours: rounds.map(({ sent }) => sent.big.p99) },
    { name: 'latency p50, 1 trace a request, c=64', unit: 'ms', ours: rounds.map(({ sent }) => sent.small.p50) },
  ];
}
