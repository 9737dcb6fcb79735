import { runOriginStoreContract } from '../../../test/contracts/experiments/run-origin-store.contract.ts';
import { MemoryProjectStore } from '../projects/memory-project-store.ts';
import { MemoryRunOriginStore } from './memory-run-origin-store.ts';

runOriginStoreContract('memory', async () => {
  const projectStore = new MemoryProjectStore();
  return { port: { projectStore, runOriginStore: new MemoryRunOriginStore({ projectStore }) }, close: async () => {} };
});
