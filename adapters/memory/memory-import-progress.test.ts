import { importProgressContract } from '../../test/contracts/import-progress.contract.ts';
import { MemoryImportProgress } from './memory-import-progress.ts';
import { MemoryTransactions } from './memory-transactions.ts';

importProgressContract('memory', async () => ({
  port: new MemoryImportProgress(),
  transactions: new MemoryTransactions(),
  close: async () => {},
}));
