import type { BenchService } from '../bench-service.ts';
import { settle } from '../copy-table.ts';
import { inRounds } from '../interruption.ts';
import type { Measured } from '../report.ts';
import { TRAFFIC_ROUTES, type Traffic, type TrafficRoute, type TrafficSessions } from './traffic-template.ts';

const LABELS: Readonly<Record<TrafficRoute, string>> = {
  json: 'JSON',
  otlp_protobuf: 'OTLP protobuf',
  otlp_json: 'OTLP JSON',
};
export const BATCH = 73;
const CONNECTIONS = [1, 16, 64];
const USUAL = 16;
const WARM_UP_MS = 2_500;
const EMPTY = 'truncate records, record_changes, sessions';

export interface Stretch extends Traffic {
  readonly tracesPerRequest: number;
  readonly connections: number;
}

interface Outcome {
  /** Spans. */
  readonly perSecond: number;
  /** Processor time of the service. */
  readonly microsPerSpan: number;
  readonly p50: number;
}

const cell = (route: TrafficRoute, tracesPerRequest: number, connections: number, sessions: TrafficSessions): Stretch => ({
  route,
  tracesPerRequest,
  connections,
  sessions,
});

const CELLS: readonly Stretch[] = TRAFFIC_ROUTES.flatMap((route) =>
  [BATCH, 1].flatMap((traces) => [
    ...CONNECTIONS.map((connections) => cell(route, traces, connections, 'none')),
    cell(route, traces, USUAL, 'new'),
    cell(route, traces, USUAL, 'known'),
  ]),
);

type Round = ReadonlyMap<Stretch, Outcome>;

/**
 * Measures the traffic of applications, by each route, one trace or many a request, with sessions or without. The
 * service is asked to do nothing else meanwhile (`ROLE=api`): what the records index and scorers take is measured by
 * `sustained`.
 */
export async function measureTraffic(benchService: BenchService, rounds: number, sliceMs: number): Promise<Measured[]> {
  for (const route of TRAFFIC_ROUTES) {
    await sendTraffic(benchService, cell(route, BATCH, USUAL, 'none'), WARM_UP_MS);
    await sendTraffic(benchService, cell(route, 1, USUAL, 'new'), WARM_UP_MS);
  }
  return toMeasured(await inRounds(rounds, () => round(benchService, sliceMs)));
}

async function round(benchService: BenchService, forMs: number): Promise<Round> {
  const outcomes = new Map<Stretch, Outcome>();
  for (const stretch of CELLS) outcomes.set(stretch, await measureStretch(benchService, stretch, forMs));
  return outcomes;
}

/** Into empty tables each time. */
async function measureStretch(benchService: BenchService, stretch: Stretch, forMs: number): Promise<Outcome> {
  await benchService.client.query(EMPTY);
  await settle(benchService.client);
  const before = await benchService.api.cpuSeconds();
  const { rows, ms, p50 } = await sendTraffic(benchService, stretch, forMs);
  const seconds = (await benchService.api.cpuSeconds()) - before;
  return { perSecond: (rows / ms) * 1000, microsPerSpan: (seconds * 1e6) / rows, p50 };
}

/** Sends traffic until the time is up. */
export function sendTraffic({ send, projectId, logStreamId }: BenchService, stretch: Stretch, forMs: number) {
  const { route, sessions, tracesPerRequest, connections } = stretch;
  const job = { traffic: { route, sessions }, tracesPerRequest, connections, forMs };
  if (route === 'json') return send(job);
  return send({ ...job, path: '/v1/traces', headers: { 'Project-Id': projectId, 'LogStream-Id': logStreamId } });
}

function toMeasured(rounds: readonly Round[]): Measured[] {
  const values = (of: keyof Outcome, ...key: Parameters<typeof cell>): number[] => rounds.map((all) => find(all, key)[of]);
  const rate = (...key: Parameters<typeof cell>): number[] => values('perSecond', ...key);
  const batches = { name: `JSON, ${BATCH} traces a request, c=${USUAL}`, values: rate('json', BATCH, USUAL, 'none') };
  return TRAFFIC_ROUTES.flatMap((route) => {
    const whole = { name: `${BATCH} traces a request, c=${USUAL}`, values: rate(route, BATCH, USUAL, 'none') };
    const rates = [BATCH, 1].flatMap((traces) =>
      CONNECTIONS.map((connections): Measured => {
        const name = `${LABELS[route]}, ${label(traces)}, c=${connections}`;
        const ours = { name, unit: 'spans/s', ours: rate(route, traces, connections, 'none') };
        if (traces === 1)
          return {
            ...ours,
            against: whole,
            ...(connections === 64 ? { target: { better: 'higher', reach: 0.6, aim: 0.8 } as const } : {}),
          };
        if (connections !== USUAL || route === 'json') return ours;
        return { ...ours, against: batches, target: { better: 'higher', reach: 0.6, aim: 0.9 } };
      }),
    );
    const sessions = [BATCH, 1].flatMap((traces) =>
      (['new', 'known'] as const).map(
        (kind): Measured => ({
          name: `${LABELS[route]}, ${label(traces)}, c=${USUAL}, ${kind === 'new' ? 'a new session each ten traces' : 'known sessions'}`,
          unit: 'spans/s',
          ours: rate(route, traces, USUAL, kind),
          against: { name: 'without sessions', values: rate(route, traces, USUAL, 'none') },
          target: { better: 'higher', reach: 0.85, aim: 0.95 },
        }),
      ),
    );
    const times = [BATCH, 1].map(
      (traces): Measured => ({
        name: `processor time of the service, ${LABELS[route]}, ${label(traces)}, c=${USUAL}`,
        unit: 'us/span',
        ours: values('microsPerSpan', route, traces, USUAL, 'none'),
        ...(traces === BATCH ? { target: { better: 'lower', reach: 20, aim: route === 'json' ? 12 : 10 } as const } : {}),
      }),
    );
    const withSessions: Measured = {
      name: `processor time of the service, ${LABELS[route]}, ${label(1)}, c=${USUAL}, a new session each ten traces`,
      unit: 'us/span',
      ours: values('microsPerSpan', route, 1, USUAL, 'new'),
    };
    const latency: Measured = {
      name: `latency p50, ${LABELS[route]}, ${label(1)}, c=1`,
      unit: 'ms',
      ours: values('p50', route, 1, 1, 'none'),
    };
    return [...rates, ...sessions, ...times, withSessions, latency];
  });
}

const label = (traces: number): string => (traces === 1 ? '1 trace a request' : `${traces} traces a request`);

function find(all: Round, [route, traces, connections, sessions]: Parameters<typeof cell>): Outcome {
  const key = CELLS.find(
    (one) =>
      one.route === route && one.tracesPerRequest === traces && one.connections === connections && one.sessions === sessions,
  );
  return all.get(key!)!;
}
