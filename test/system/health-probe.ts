import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

const EVERY_MS = 100;

/** Durations of health probes of a service, in milliseconds each. */
export interface Probes {
  readonly ms: number[];
  /** Probes that were not answered 200. */
  readonly bad: number;
}

/** Probes until told to stop. In a thread of its own: who floods a service is too busy to tell when an answer came. */
export function startProbes(url: string): { stop(): Promise<Probes> } {
  const worker = new Worker(new URL(import.meta.url), { workerData: { probed: url } });
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [probes] = (await once(worker, 'message')) as [Probes];
      await worker.terminate();
      return probes;
    },
  };
}

async function probe(url: string): Promise<void> {
  const ms: number[] = [];
  let bad = 0;
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  for (; !isOver; await sleep(EVERY_MS)) {
    const began = performance.now();
    const status = await fetch(`${url}/healthz`).then(
      async (res) => (await res.text()) && res.status,
      () => 0,
    );
    ms.push(performance.now() - began);
    if (status !== 200) bad += 1;
  }
  parentPort!.postMessage({ ms, bad } satisfies Probes);
}

const { probed } = (workerData ?? {}) as { probed?: string };
if (probed !== undefined) await probe(probed);
