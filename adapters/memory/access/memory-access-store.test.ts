import { accessStoreContract } from '../../../test/contracts/access/access-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryAccessStore } from './memory-access-store.ts';

accessStoreContract('memory', async () => ({
  port: new MemoryAccessStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
