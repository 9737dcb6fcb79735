import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '../setup/timing.ts';
import { logTraces, type NewTrace, newTrace, type Place, type Service, search, until } from './service.ts';

/** Requests that clients sent, and the responses. */
export interface Told {
  readonly sent: NewTrace[][];
  /** Ids of traces that the service said it has. */
  readonly acknowledged: Set<string>;
  readonly refusals: Refusal[];
  /** Requests that got no answer at all. */
  broken: number;
}

export interface Refusal {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly text: string;
}

export interface Load {
  readonly told: Told;
  /** Sends nothing more and resolves when every answer is in. */
  stop(): Promise<Told>;
}

const TRACES_PER_BATCH = 5;
const CLIENTS = 16;
/** A client that is refused does not ask again at once. */
const PAUSE_MS = 50;

/** Clients that post batch after batch, each when the last one is answered. */
export function startLoad(service: Pick<Service, 'call'>, place: Place, clients = CLIENTS): Load {
  const told: Told = { sent: [], acknowledged: new Set(), refusals: [], broken: 0 };
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) if (!(await postBatch(service as Service, place, told))) await sleep(PAUSE_MS);
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    told,
    stop: async () => {
      isOver = true;
      await all;
      return told;
    },
  };
}

/** Waits until so many more traces were acknowledged. Resolves to how many milliseconds it took. */
export async function moreAcknowledged({ told }: Load, count: number, limitMs = PATIENCE_MS): Promise<number> {
  const started = performance.now();
  const known = told.acknowledged.size;
  await until(
    `the acknowledgement of ${count} more traces`,
    limitMs,
    async () => told.acknowledged.size,
    (size) => size > known + count,
  );
  return performance.now() - started;
}

async function postBatch(service: Service, place: Place, told: Told): Promise<boolean> {
  const batch = Array.from({ length: TRACES_PER_BATCH }, () => newTrace());
  told.sent.push(batch);
  const started = performance.now();
  try {
    const { status, headers, text } = await logTraces(service, place, batch);
    if (status === 200) for (const { id } of batch) told.acknowledged.add(id);
    else told.refusals.push({ status, retryAfter: headers.get('retry-after'), ms: performance.now() - started, text });
    return status === 200;
  } catch {
    told.broken += 1;
    return false;
  }
}

export interface Kept {
  readonly acknowledged: number;
  readonly found: number;
  readonly lost: number;
  /** Batches of which a part is there. */
  readonly torn: number;
  readonly duplicates: number;
}

/** Reads back, through the interface, what became of everything that was sent. */
export async function readBack(service: Service, place: Place, { sent, acknowledged }: Told): Promise<Kept> {
  const traces = (await search(service, place, 'traces')).map(({ id }) => id);
  const found = new Set(traces);
  const torn = sent.filter((batch) => {
    const there = batch.filter(({ id }) => found.has(id)).length;
    return there > 0 && there < batch.length;
  });
  const path = `/v2/projects/${place.project_id}/spans/count`;
  const { total_count } = await service.ask<{ total_count: number }>('POST', path, { log_stream_id: place.log_stream_id });
  return {
    acknowledged: acknowledged.size,
    found: found.size,
    lost: [...acknowledged].filter((id) => !found.has(id)).length,
    // Every trace was sent with one span.
    torn: torn.length + Math.abs(total_count - found.size),
    duplicates: traces.length - found.size,
  };
}
