import { experimentStoresContract } from '../../test/contracts/experiment-stores.contract.ts';
import { MemoryExperimentStore } from './memory-experiment-store.ts';
import { MemoryProjectStore } from './memory-project-store.ts';
import { MemoryRunTagStore } from './memory-run-tag-store.ts';
import { runExistsIn } from './run-exists.ts';

experimentStoresContract('memory', async () => {
  const projectStore = new MemoryProjectStore();
  const runExists = runExistsIn(projectStore);
  const experimentStore = new MemoryExperimentStore({ runExists });
  return { port: { projectStore, experimentStore, runTagStore: new MemoryRunTagStore({ runExists }) }, close: async () => {} };
});
