import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchService } from './bench-service.ts';
import type { Measured } from './report.ts';

const MEMORY = 'process_resident_memory_bytes';
/** The start is over by then, and what it left has been given back. */
const REST_MS = 125_000;
const SAMPLES = 5;
const SAMPLE_MS = 500;
const SLICES = 5;

/** Measures the memory of the service's process at rest, and its peak under load. */
export async function measureMemory(benchService: BenchService, sliceMs: number): Promise<Measured[]> {
  const { api } = benchService;
  const rest: number[] = [];
  await sleep(REST_MS);
  for (; rest.length < SAMPLES; await sleep(SAMPLE_MS)) rest.push(await mebibytes(benchService));
  let isOver = false;
  const sent = benchService.send({ tracesPerRequest: 7, connections: 64, forMs: sliceMs * SLICES }).finally(() => {
    isOver = true;
  });
  let peak = 0;
  for (; !isOver; await sleep(SAMPLE_MS / 5)) peak = Math.max(peak, (await api.gauge(MEMORY)) / 2 ** 20);
  await sent;
  return [
    { name: 'memory of the service at rest', unit: 'MiB', ours: rest },
    {
      name: 'memory of the service at its highest, 64 connections writing',
      unit: 'MiB',
      ours: [peak],
      against: { name: 'at rest', values: rest },
    },
  ];
}

const mebibytes = async ({ api }: BenchService): Promise<number> => (await api.gauge(MEMORY)) / 2 ** 20;
