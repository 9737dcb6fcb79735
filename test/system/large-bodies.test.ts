import { Agent, request } from 'node:http';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Probes, startProbes } from './health-probe.ts';
import { residentBytes, watchMemory } from './memory-watch.ts';
import {
  type Environment,
  endEverything,
  makeDataDir,
  makeLogStream,
  newTrace,
  percentile,
  print,
  startService,
} from './service.ts';

const FEW = 50;
const SENDERS = Number(process.env.SENDERS ?? FEW);
const MEGABYTE = 1024 * 1024;
/** The service's default limit. */
const LIMIT = 25 * MEGABYTE;
const TRACES = 1_000;
const MEMORY_CAP_MB = 1_280;

afterEach(endEverything);
/** Keeps its connections, as clients do: who asks to have it closed asks not to be heard to the end. */
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** As many traces as a request may have, of nearly as many bytes. */
function largestBody(log_stream_id: string): Buffer {
  const chars = Math.floor(LIMIT / TRACES) - 1_000;
  const traces = Array.from({ length: TRACES }, () => newTrace({ input: 'x'.repeat(chars) }));
  return Buffer.from(JSON.stringify({ log_stream_id, traces }));
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Resolves to the answer, also to one that comes while the body is still being sent. */
function send(url: string, key: string, body: Buffer, isAnnounced: boolean): Promise<Answer> {
  const length = isAnnounced ? { 'content-length': String(body.length) } : { 'transfer-encoding': 'chunked' };
  const headers = { 'service-api-key': key, 'content-type': 'application/json', ...length };
  return new Promise((resolve, reject) => {
    const one = request(url, { method: 'POST', headers, agent }, (res) => {
      resolve({ status: res.statusCode ?? 0, retryAfter: res.headers['retry-after'] });
      res.resume();
    });
    one.on('error', reject);
    one.end(body);
  });
}

interface Sent {
  readonly answers: readonly Answer[];
  readonly before: number;
  /** The most memory, in megabytes, of which there were samples. */
  readonly peak: number;
  readonly health: Probes;
}

/** Sends the largest body from everybody at once, to a service of its own. */
async function sendAtOnce(senders: number, isAnnounced: boolean, env: Environment = {}): Promise<Sent> {
  const service = await startService(await makeDataDir(), { LOG_LEVEL: 'error', ...env });
  const { project_id, log_stream_id } = await makeLogStream(service);
  const body = largestBody(log_stream_id);
  const url = `${service.url}/v2/projects/${project_id}/traces`;
  const probes = startProbes(service.url);
  const before = (await residentBytes(service)) / MEGABYTE;
  const memory = watchMemory(service);
  const answers = await Promise.all(Array.from({ length: senders }, () => send(url, service.key, body, isAnnounced)));
  const peak = (await memory.stop()) / MEGABYTE;
  return { answers, before, peak, health: await probes.stop() };
}

describe('as many of the largest bodies at once as nobody would send', () => {
  it.each([
    ['that say how long they are', true],
    ['that do not say how long they are', false],
  ])('%s, are taken as far as there is room, and do not exhaust the memory', async (what, isAnnounced) => {
    const { answers, before, peak, health } = await sendAtOnce(SENDERS, isAnnounced);
    const byStatus = Map.groupBy(answers, ({ status }) => status);
    const counts = [...byStatus].map(([status, { length }]) => `${length} × ${status}`).join(', ');
    print(
      `P6: ${SENDERS} bodies of ${LIMIT / MEGABYTE} MB at once ${what}: ${counts}; memory ${Math.round(before)} MB before, ${Math.round(peak)} MB at most (cap ${MEMORY_CAP_MB}); health probe p50 ${Math.round(percentile(health.ms, 0.5))} ms, slowest ${Math.round(Math.max(...health.ms))} ms`,
    );
    expect([...byStatus.keys()].sort()).toEqual([200, 503]);
    for (const { retryAfter } of byStatus.get(503) ?? []) expect(retryAfter).toMatch(/^[1-9]\d*$/);
    expect(peak).toBeLessThan(MEMORY_CAP_MB);
    expect(health.bad).toBe(0);
  });

  it('would be found out if all of them were let in', async () => {
    const { answers, peak } = await sendAtOnce(FEW, true, { MAX_BYTES_IN_FLIGHT: String(2 * FEW * LIMIT) });
    print(`P6: without a bound: ${Math.round(peak)} MB`);
    expect(answers).toHaveLength(FEW);
    expect(peak).toBeGreaterThan(MEMORY_CAP_MB);
  });
});
