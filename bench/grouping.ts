import { randomUUID } from 'node:crypto';
import { GroupWriter } from '../adapters/postgres/traces/group-writer.ts';
import { flattenTraces } from '../core/traces/ingest/flatten.ts';
import type { RecordBatch } from '../core/traces/trace-store.ts';
import { type BenchService, log } from './bench-service.ts';
import { settle } from './copy-table.ts';
import { inRounds } from './interruption.ts';
import { quantile } from './median.ts';
import type { Measured } from './report.ts';
import { filled, toTraceTemplate } from './traces.ts';

const CONNECTIONS = 64;
const BATCHES_ALONE = 200;

interface Timed {
  readonly perSecond: number;
  readonly p50: number;
}
const NOTHING: Timed = { perSecond: 0, p50: 0 };

/** Which one went first changes from round to round: the second one finds warmer caches. */
interface Pair {
  readonly on: Timed;
  readonly off: Timed;
}

/** One-trace requests given to a group writer in this process, which commits them in groups or one by one. */
export async function measureGrouping(benchService: BenchService, rounds: number, batches: number): Promise<Measured[]> {
  const open = (grouping: boolean) =>
    new GroupWriter({ url: benchService.databaseUrl, log, enqueueWithin: async () => {}, settings: { grouping } });
  const on = open(true);
  const off = open(false);
  const pair = async (round: number, count: number, connections: number): Promise<Pair> => {
    const measured = { on: NOTHING, off: NOTHING };
    for (const name of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const)) {
      measured[name] = await timed(benchService, name === 'on' ? on : off, count, connections);
    }
    return measured;
  };
  const measure = async (round: number) => ({
    many: await pair(round, batches, CONNECTIONS),
    alone: await pair(round, BATCHES_ALONE, 1),
  });
  try {
    await measure(0);
    const done = await inRounds(rounds, measure);
    return [
      {
        name: 'group commit, 1 trace a request, c=64',
        unit: 'requests/s',
        ours: done.map((round) => round.many.on.perSecond),
        against: { name: 'one by one', values: done.map((round) => round.many.off.perSecond) },
        target: { better: 'higher', reach: 1 },
      },
      {
        name: 'latency p50 of a lone request, c=1',
        unit: 'ms',
        ours: done.map((round) => round.alone.on.p50),
        against: { name: 'one by one', values: done.map((round) => round.alone.off.p50) },
        target: { better: 'lower', reach: 1.05, aim: 1 },
      },
    ];
  } finally {
    await on.close();
    await off.close();
  }
}

async function timed(benchService: BenchService, writer: GroupWriter, count: number, connections: number): Promise<Timed> {
  const batches = await toBatches(benchService, count);
  await benchService.client.query('truncate records');
  await settle(benchService.client);
  const latencies: number[] = [];
  const each = async (): Promise<void> => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const at = performance.now();
      const outcome = await writer.write(batch);
      if (outcome !== 'written') throw new Error(outcome);
      latencies.push(performance.now() - at);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, each));
  return { perSecond: (count / (performance.now() - began)) * 1000, p50: quantile(latencies, 0.5) };
}

async function toBatches({ client, projectId, logStreamId }: BenchService, count: number): Promise<RecordBatch[]> {
  const { rows } = await client.query<{ settings_revision: number }>('select settings_revision from runs where id = $1', [
    logStreamId,
  ]);
  const now = new Date().toISOString();
  const run = { project_id: projectId, run_id: logStreamId };
  const to = { ...run, session_id: undefined, is_complete: true, now, newId: randomUUID };
  const template = toTraceTemplate(logStreamId, 1, 1);
  return Array.from({ length: count }, () => {
    const { traces } = JSON.parse(filled(template, randomUUID, now).toString()) as { traces: unknown[] };
    const records = flattenTraces(traces, to, () => []);
    return { ...run, settings_revision: rows[0]!.settings_revision, records, new_parents: [], score_trace_ids: [] };
  });
}
