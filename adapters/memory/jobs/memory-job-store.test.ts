import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { jobStoreContract } from '../../../test/contracts/jobs/job-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryJobStore } from './memory-job-store.ts';

jobStoreContract('memory', async () => {
  const messages: JobMessage[] = [];
  const port = new MemoryJobStore({ database: new MemoryDatabase(), enqueue: (message) => messages.push(message) });
  return { port, transactions: new MemoryDatabase(), messages: async () => messages, close: async () => {} };
});
