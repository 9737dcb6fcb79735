import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './service.ts';

const EVERY_MS = 50;
const PAGE_BYTES = 4_096;

/** Resident memory of a service now, in bytes. */
export async function residentBytes({ run }: Service): Promise<number> {
  return Number((await readFile(`/proc/${run.pid}/statm`, 'utf8')).split(' ')[1]) * PAGE_BYTES;
}

/** Samples the memory of a service until told to stop, which returns the most that there was, in bytes. */
export function watchMemory(service: Service): { stop(): Promise<number> } {
  let isOver = false;
  let peak = 0;
  const watching = (async () => {
    for (; !isOver; await sleep(EVERY_MS)) peak = Math.max(peak, await residentBytes(service));
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return peak;
    },
  };
}
