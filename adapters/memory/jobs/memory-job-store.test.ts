import type { JobMessage } from '../../../core/jobs/job-store.ts';
import { jobStoreContract } from '../../../test/contracts/jobs/job-store.contract.ts';
import { MemoryTransactions } from '../memory-transactions.ts';
import { MemoryJobStore } from './memory-job-store.ts';

jobStoreContract('memory', async () => {
  const tickets: JobMessage[] = [];
  const port = new MemoryJobStore({ enqueue: (ticket) => tickets.push(ticket) });
  return { port, transactions: new MemoryTransactions(), tickets: async () => tickets, close: async () => {} };
});
