import { runOriginStoreContract } from '../../../test/contracts/experiments/run-origin-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryProjectStore } from '../projects/memory-project-store.ts';
import { MemoryRunOriginStore } from './memory-run-origin-store.ts';

runOriginStoreContract('memory', async () => {
  const projectStore = new MemoryProjectStore({ database: new MemoryDatabase() });
  return {
    port: { projectStore, runOriginStore: new MemoryRunOriginStore({ database: new MemoryDatabase(), projectStore }) },
    close: async () => {},
  };
});
