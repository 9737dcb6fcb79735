import { JOBS_MS, type SetUp, type Storage, type StorageContext } from './storage.ts';
import { memoryAdapters } from './wiring/memory.ts';

/** Everything in the memory of this process, which is its only instance. */
export async function openMemoryStorage({ shutdown }: Pick<StorageContext, 'shutdown'>, setUp: SetUp): Promise<Storage> {
  const { scoringQueue, modelScoringQueue, jobQueue } = await setUp(memoryAdapters());
  shutdown.add(() => Promise.all([scoringQueue, modelScoringQueue, jobQueue].map((queue) => queue.stop(JOBS_MS))));
  return { isReady: async () => true, failure: () => undefined, explainFailure: () => undefined, onGone: () => {} };
}
