import { importProgressContract } from '../../../test/contracts/datasets/import-progress.contract.ts';
import { MemoryTransactions } from '../memory-transactions.ts';
import { MemoryImportProgress } from './memory-import-progress.ts';

importProgressContract('memory', async () => ({
  port: new MemoryImportProgress(),
  transactions: new MemoryTransactions(),
  close: async () => {},
}));
