import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { jobStoreContract } from '../../../test/contracts/jobs/job-store.contract.ts';
import { MemoryTransactions } from '../memory-transactions.ts';
import { MemoryJobStore } from './memory-job-store.ts';

jobStoreContract('memory', async () => {
  const messages: JobMessage[] = [];
  const port = new MemoryJobStore({ enqueue: (message) => messages.push(message) });
  return { port, transactions: new MemoryTransactions(), messages: async () => messages, close: async () => {} };
});
