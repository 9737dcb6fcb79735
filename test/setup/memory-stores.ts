import { MemoryDatabase } from '../../adapters/memory/memory-database.ts';
import { memoryRecordStores } from '../../adapters/memory/record-stores.ts';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';
import type { ShadowStores } from '../contracts/health/shadow-store.contract.ts';

const START = Date.parse('2026-02-03T04:05:06.000Z');

/** The stores of the contracts. Their clock ticks with every look at it. */
export function openMemoryStores(): ShadowStores & { pass(ms: number): void } {
  let ticks = 0;
  const clock = () => {
    ticks += 1;
    return new Date(START + ticks);
  };
  const jobs: ScoringJob[] = [];
  const database = new MemoryDatabase();
  const stores = memoryRecordStores({ database, clock, enqueue: (job) => void jobs.push(job) });
  return {
    ...stores,
    annotationQueueStore: database.inStatements(stores.annotationQueueStore),
    transactions: database,
    settle: async () => {},
    jobs: async ({ run_id }) => jobs.filter((job) => job.run_id === run_id),
    pass: (ms) => {
      ticks += ms;
    },
    close: async () => {},
  };
}
