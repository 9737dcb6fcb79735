import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import type { Place, Service } from './service.ts';

/** Outcomes of requests that were sent whether or not earlier ones were answered. */
export interface OpenTold {
  sent: number;
  /** Requests that were due and not sent, because too many had not been answered: their senders had no connection to be had. */
  unsent: number;
  readonly acknowledged: Set<string>;
  /** How many answers of each status; 0: none at all. */
  readonly statuses: Map<number, number>;
  /** Refusals that do not say when to come again. */
  mute: number;
  readonly ms: number[];
}

/** A text as long as a real prompt, so that bytes count as well. */
const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(50);
const TRACES = 10;
const CONNECTIONS = 512;
/** Several for each connection. Without a bound, what a service has no room for would pile up here instead. */
const MOST_PENDING = 2_000;

/**
 * Sends batches at a fixed rate, as many clients would that know nothing of each other: unlike clients that wait for
 * their answers, they do not slow down with the service. Resolves when every answer is in.
 */
export async function openLoad(service: Service, place: Place, perSecond: number, forMs: number): Promise<OpenTold> {
  const told: OpenTold = { sent: 0, unsent: 0, acknowledged: new Set(), statuses: new Map(), mute: 0, ms: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const pending = new Set<Promise<void>>();
  const began = performance.now();
  const dueAt = (ms: number): number => Math.ceil((Math.min(ms, forMs) / 1000) * perSecond);
  await new Promise<void>((done) => {
    const tick = setInterval(() => {
      const elapsed = performance.now() - began;
      for (let due = dueAt(elapsed) - told.sent - told.unsent; due >= 1; due -= 1) {
        if (pending.size >= MOST_PENDING) told.unsent += 1;
        else {
          told.sent += 1;
          const one = send(service, place, agent, told).finally(() => pending.delete(one));
          pending.add(one);
        }
      }
      if (elapsed < forMs) return;
      clearInterval(tick);
      done();
    }, 10);
  });
  await Promise.all(pending);
  agent.destroy();
  return told;
}

/** Requests a second that are stored for clients who wait for their answers: what the service can do. */
export async function computeCapacity(service: Service, place: Place, clients: number, forMs: number): Promise<number> {
  const told: OpenTold = { sent: 0, unsent: 0, acknowledged: new Set(), statuses: new Map(), mute: 0, ms: [] };
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const began = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - began < forMs) await send(service, place, agent, told);
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return (told.statuses.get(200) ?? 0) / ((performance.now() - began) / 1000);
}

function send(service: Service, { project_id, log_stream_id }: Place, agent: Agent, told: OpenTold): Promise<void> {
  const traces = Array.from({ length: TRACES }, () => ({ id: randomUUID(), input: TEXT, output: TEXT }));
  const body = JSON.stringify({ log_stream_id, traces });
  const headers = {
    'content-type': 'application/json',
    'service-api-key': service.key,
    'content-length': Buffer.byteLength(body),
  };
  const began = performance.now();
  const note = (status: number): void => void told.statuses.set(status, (told.statuses.get(status) ?? 0) + 1);
  return new Promise((resolve) => {
    const sent = request(`${service.url}/v2/projects/${project_id}/traces`, { method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('error', () => undefined);
      res.on('close', () => {
        note(res.statusCode ?? 0);
        if (res.statusCode === 200) {
          told.ms.push(performance.now() - began);
          for (const { id } of traces) told.acknowledged.add(id);
        } else if (!/^[1-9]\d*$/.test(res.headers['retry-after'] ?? '')) told.mute += 1;
        resolve();
      });
    });
    sent.on('error', () => {
      note(0);
      resolve();
    });
    sent.end(body);
  });
}
