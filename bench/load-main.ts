import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, LoadConnection } from './load-connection.ts';
import type { LoadJob, LoadReport } from './load-job.ts';
import { quantile } from './median.ts';
import { filled, ROWS_PER_TRACE, toTraceTemplate } from './traces.ts';
import { SPANS_PER_TRACE } from './traffic/application-trace.ts';
import { toTrafficTemplate, trafficBodies } from './traffic/traffic-template.ts';

const TEMPLATES = 8;
const REMEMBERED = 128;

/** The load generator's own process: one job at a time, each answered by its report. */
process.on('message', (job: LoadJob) => {
  run(job).then(
    (report) => process.send!(report),
    (error: unknown) => process.send!({ ...NOTHING, failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

const NOTHING: LoadReport = { requests: 0, rows: 0, ms: 0, p50: 0, p99: 0, refused: 0, failure: undefined };

async function run(job: LoadJob): Promise<LoadReport> {
  const nextBody = getBodies(job);
  const latencies: number[] = [];
  const max = job.maxRequests ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  let refused = 0;
  let failure: string | undefined;
  const began = performance.now();
  const each = async (): Promise<void> => {
    const connection = new LoadConnection(job.url, job.path, toHeaders(job));
    try {
      while (failure === undefined && sent < max && performance.now() - began < job.forMs) {
        sent += 1;
        const body = nextBody();
        const at = performance.now();
        let answer = await connection.send(body);
        for (; answer.status === 503 && failure === undefined; answer = await connection.send(body)) {
          refused += 1;
          await sleep(answer.retryAfterSeconds * 1000 * (1 + Math.random()));
        }
        latencies.push(performance.now() - at);
        if (answer.status !== 200 || isPartial(job, answer)) failure = `${answer.status} ${answer.body.slice(0, 300)}`;
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: job.connections }, each));
  const rows = latencies.length * job.tracesPerRequest * (job.traffic ? SPANS_PER_TRACE : ROWS_PER_TRACE);
  const ms = performance.now() - began;
  return {
    requests: latencies.length,
    rows,
    ms,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    refused,
    failure,
  };
}

/** An exporter is told in a reply of 200 which spans were not taken; without words there are none. */
const isPartial = ({ traffic }: LoadJob, { body }: Answer): boolean =>
  traffic !== undefined && traffic.route !== 'json' && body !== '' && body !== '{}';

const toHeaders = ({ apiKey, traffic, headers }: LoadJob): Record<string, string> => ({
  'Service-API-Key': apiKey,
  'Content-Type': traffic?.route === 'otlp_protobuf' ? 'application/x-protobuf' : 'application/json',
  ...headers,
});

/** New traces each time, except for the repeats, which are picked among the last ones. */
function getBodies({ logStreamId, tracesPerRequest, repeats, overDays = 0, traffic }: LoadJob): () => Buffer {
  if (traffic) {
    const seeds = Array.from({ length: TEMPLATES }, (_, seed) => seed);
    const filling = seeds.map((seed) => toTrafficTemplate(traffic, logStreamId, tracesPerRequest, seed));
    return trafficBodies(traffic, filling, tracesPerRequest);
  }
  const templates = Array.from({ length: TEMPLATES }, (_, seed) => toTraceTemplate(logStreamId, tracesPerRequest, seed));
  const last: Buffer[] = [];
  let made = 0;
  return () => {
    if (last.length === REMEMBERED && Math.random() < repeats) return last[Math.floor(Math.random() * REMEMBERED)]!;
    const body = filled(templates[made % TEMPLATES]!, randomUUID, timestampWithin(overDays));
    if (repeats > 0) last[made % REMEMBERED] = body;
    made += 1;
    return body;
  };
}

const DAY_MS = 86_400_000;

const timestampWithin = (days: number): string => new Date(Date.now() - Math.random() * days * DAY_MS).toISOString();
