import { randomUUID } from 'node:crypto';
import { encodeOtlpBody } from '../../test/fixtures/otel/otlp-bodies.ts';
import { toApplicationTrace } from './application-trace.ts';
import { toJsonBody } from './json-body.ts';
import { toOtlpBody } from './otlp-body.ts';

export const TRAFFIC_ROUTES = ['json', 'otlp_protobuf', 'otlp_json'] as const;
export type TrafficRoute = (typeof TRAFFIC_ROUTES)[number];
/** Whether traces are sessions of their own, each ten of them bring a new one, or all belong to sessions that are there. */
export type TrafficSessions = 'none' | 'new' | 'known';

export interface Traffic {
  readonly route: TrafficRoute;
  readonly sessions: TrafficSessions;
}

const TRACES_PER_SESSION = 10;
const KNOWN_SESSIONS = 32;

/** An id that nobody draws: 20 digits that are always the same, then 12 with the number of the slot. */
const SLOT = '00000000-0000-4000-8000-';
const SLOT_HEX = SLOT.replaceAll('-', '');
const SLOT_BYTES = Buffer.from(SLOT_HEX, 'hex');
const DIGITS = 12;

interface Hole {
  readonly at: number;
  readonly slot: number;
  readonly form: 'uuid' | 'hex' | 'bytes';
}

/** A request whose ids are holes, so that a sender has to do no more than copy it and fill them. */
export interface TrafficTemplate {
  readonly bytes: Buffer;
  readonly holes: readonly Hole[];
  /** The slots that name sessions. */
  readonly sessions: ReadonlySet<number>;
}

/** Different `seed`s give different texts. */
export function toTrafficTemplate(traffic: Traffic, logStreamId: string, count: number, seed: number): TrafficTemplate {
  const { newSlot, sessionOf, sessions } = toSlots(traffic);
  const traces = Array.from({ length: count }, (_, at) => toApplicationTrace(seed * count + at));
  const ids = traces.map(() => newSlot().replaceAll('-', ''));
  const bytes =
    traffic.route === 'json'
      ? Buffer.from(JSON.stringify(toJsonBody({ log_stream_id: logStreamId, traces, sessionOf, newSlot })))
      : Buffer.from(
          encodeOtlpBody(
            toOtlpBody({ traces, traceIdOf: (at) => ids[at]!, sessionOf }),
            traffic.route === 'otlp_json' ? 'json' : 'protobuf',
          ),
        );
  return { bytes, holes: [...toHoles(bytes)], sessions };
}

function toSlots({ sessions: kind }: Traffic) {
  let slots = 0;
  const sessions = new Set<number>();
  const byTrace = new Map<number, string>();
  const newSlot = (): string => SLOT + (++slots).toString(16).padStart(DIGITS, '0');
  const sessionOf = (trace: number): string => {
    const number = Math.floor(trace / TRACES_PER_SESSION);
    const session = byTrace.get(number) ?? newSlot();
    byTrace.set(number, session);
    sessions.add(Number.parseInt(session.slice(-DIGITS), 16));
    return session;
  };
  return { newSlot, sessions, sessionOf: kind === 'none' ? undefined : sessionOf };
}

function* toHoles(bytes: Buffer): Generator<Hole> {
  const slotAt = (at: number): number => Number.parseInt(bytes.toString('latin1', at, at + DIGITS), 16);
  for (const at of placesOf(bytes, SLOT)) yield { at, slot: slotAt(at + SLOT.length), form: 'uuid' };
  for (const at of placesOf(bytes, SLOT_HEX)) yield { at, slot: slotAt(at + SLOT_HEX.length), form: 'hex' };
  for (const at of placesOf(bytes, SLOT_BYTES)) yield { at, slot: bytes.readUIntBE(at + SLOT_BYTES.length, 6), form: 'bytes' };
}

function* placesOf(bytes: Buffer, what: string | Buffer): Generator<number> {
  for (let at = bytes.indexOf(what); at !== -1; at = bytes.indexOf(what, at + what.length)) yield at;
}

/** Draws the requests of one job: new traces each time, sessions as the traffic has them. */
export function trafficBodies(traffic: Traffic, templates: readonly TrafficTemplate[], tracesPerRequest: number): () => Buffer {
  const known = Array.from({ length: KNOWN_SESSIONS }, () => randomUUID());
  const requestsPerSession = Math.max(1, Math.floor(TRACES_PER_SESSION / tracesPerRequest));
  let made = 0;
  let current = randomUUID();
  return () => {
    const template = templates[made % templates.length]!;
    if (made % requestsPerSession === 0) current = randomUUID();
    made += 1;
    const isLone = template.sessions.size === 1;
    const session = (): string =>
      traffic.sessions === 'known' ? known[Math.floor(Math.random() * KNOWN_SESSIONS)]! : isLone ? current : randomUUID();
    return fillTemplate(template, session);
  };
}

function fillTemplate({ bytes, holes, sessions }: TrafficTemplate, session: () => string): Buffer {
  const body = Buffer.from(bytes);
  const ids = new Map<number, string>();
  for (const { at, slot, form } of holes) {
    const id = ids.get(slot) ?? (sessions.has(slot) ? session() : randomUUID());
    ids.set(slot, id);
    if (form === 'uuid') body.write(id, at, 'latin1');
    else body.write(id.replaceAll('-', ''), at, form === 'hex' ? 'latin1' : 'hex');
  }
  return body;
}
