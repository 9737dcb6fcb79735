import { importProgressContract } from '../../../test/contracts/datasets/import-progress.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryImportProgress } from './memory-import-progress.ts';

importProgressContract('memory', async () => ({
  port: new MemoryImportProgress(),
  transactions: new MemoryDatabase(),
  close: async () => {},
}));
