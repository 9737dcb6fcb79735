import { runScoresContract } from '../../test/contracts/run-scores.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';
import { MemoryRunScores } from './memory-run-scores.ts';
import { MemoryRunTotals } from './memory-run-totals.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

runScoresContract('memory', async () => {
  const stores = openMemoryStores();
  const traceStore = stores.traceStore as MemoryTraceStore;
  const deps = {
    traceStore,
    recordsOf: (project_id: string, run_id: string) => traceStore.recordsOf(project_id, run_id),
    scoresOf: (project_id: string, run_id: string, ids: readonly string[]) => stores.scoreStore.list(project_id, run_id, ids),
  };
  return { ...stores, runScores: new MemoryRunScores(deps), runTotals: new MemoryRunTotals(deps) };
});
