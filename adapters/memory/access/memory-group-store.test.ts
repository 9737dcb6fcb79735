import { groupStoreContract } from '../../../test/contracts/access/group-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryGroupStore } from './memory-group-store.ts';

groupStoreContract('memory', async () => ({
  port: new MemoryGroupStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
