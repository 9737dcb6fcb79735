import { ADMIN_API_KEY, withFolder } from './bench-service.ts';
import { inRounds } from './interruption.ts';
import type { Measured } from './report.ts';
import { Service } from './service.ts';

/** From the start of the process to `listening on`, with an empty data folder and with one that was used before. */
export async function measureStarting(rounds: number): Promise<Measured[]> {
  const done = await inRounds(rounds, () =>
    withFolder(async (folder) => ({ cold: await startOnce(folder), warm: await startOnce(folder) })),
  );
  return [
    { name: 'start with an empty data folder', unit: 'ms', ours: done.map(({ cold }) => cold) },
    { name: 'start with a used data folder', unit: 'ms', ours: done.map(({ warm }) => warm) },
  ];
}

async function startOnce(folder: string): Promise<number> {
  const service = await Service.start({ DATA_DIR: folder, ADMIN_API_KEY });
  await service.stop();
  return service.startMs;
}
