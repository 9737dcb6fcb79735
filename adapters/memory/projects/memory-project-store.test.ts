import { projectStoreContract } from '../../../test/contracts/projects/project-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryProjectStore } from './memory-project-store.ts';

projectStoreContract('memory', async () => ({
  port: new MemoryProjectStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
