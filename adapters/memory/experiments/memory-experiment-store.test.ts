import { experimentStoresContract } from '../../../test/contracts/experiments/experiment-stores.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryProjectStore } from '../projects/memory-project-store.ts';
import { runExistsIn } from '../projects/run-exists.ts';
import { MemoryExperimentStore } from './memory-experiment-store.ts';
import { MemoryRunTagStore } from './memory-run-tag-store.ts';

experimentStoresContract('memory', async () => {
  const projectStore = new MemoryProjectStore({ database: new MemoryDatabase() });
  const runExists = runExistsIn(projectStore);
  const experimentStore = new MemoryExperimentStore({ database: new MemoryDatabase(), runExists });
  return {
    port: { projectStore, experimentStore, runTagStore: new MemoryRunTagStore({ database: new MemoryDatabase(), runExists }) },
    close: async () => {},
  };
});
