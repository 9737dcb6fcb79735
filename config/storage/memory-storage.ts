import { memoryAdapters } from '../wiring/memory.ts';
import { JOBS_MS, type Opened, type SetUp, type StorageContext } from './storage.ts';

/** Everything in the memory of this process, which is its only instance. */
export async function openMemoryStorage({ shutdown }: Pick<StorageContext, 'shutdown'>, setUp: SetUp): Promise<Opened> {
  const service = await setUp(memoryAdapters());
  const { scoringQueue, modelScoringQueue, jobQueue } = service.cradle;
  shutdown.add(() => Promise.all([scoringQueue, modelScoringQueue, jobQueue].map((queue) => queue.stop(JOBS_MS))));
  const storage = {
    isReady: async () => true,
    failure: () => undefined,
    explainFailure: () => undefined,
    gauges: [],
    onGone: () => {},
  };
  return { storage, service };
}
