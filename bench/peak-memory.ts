import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';
import type { Measured } from './report.ts';

const SAMPLE_MS = 100;
const MEBIBYTE = 1024 * 1024;

/** Does the work and measures the memory of the service at its highest meanwhile, beside that before. */
export async function withPeakMemory<T>(api: Api, work: () => Promise<T>): Promise<{ result: T; memory: Measured }> {
  const read = () => api.gauge('process_resident_memory_bytes');
  const before = await read();
  let peak = before;
  let done = false;
  const watching = (async () => {
    for (; !done; await sleep(SAMPLE_MS)) peak = Math.max(peak, await read());
  })();
  try {
    const result = await work();
    const against = { name: 'before', values: [before / MEBIBYTE] };
    return {
      result,
      memory: { name: 'memory of the service at its highest meanwhile', unit: 'MiB', ours: [peak / MEBIBYTE], against },
    };
  } finally {
    done = true;
    await watching;
  }
}
