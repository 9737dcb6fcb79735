import { experimentStoresContract } from '../../../test/contracts/experiments/experiment-stores.contract.ts';
import { MemoryProjectStore } from '../projects/memory-project-store.ts';
import { runExistsIn } from '../projects/run-exists.ts';
import { MemoryExperimentStore } from './memory-experiment-store.ts';
import { MemoryRunTagStore } from './memory-run-tag-store.ts';

experimentStoresContract('memory', async () => {
  const projectStore = new MemoryProjectStore();
  const runExists = runExistsIn(projectStore);
  const experimentStore = new MemoryExperimentStore({ runExists });
  return { port: { projectStore, experimentStore, runTagStore: new MemoryRunTagStore({ runExists }) }, close: async () => {} };
});
