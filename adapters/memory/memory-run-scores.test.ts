import { runScoresContract } from '../../test/contracts/run-scores.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';
import { MemoryRunScores } from './memory-run-scores.ts';
import { MemoryRunTotals } from './memory-run-totals.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

runScoresContract('memory', async () => {
  const stores = openMemoryStores();
  const deps = { traceStore: stores.traceStore as MemoryTraceStore, scoreStore: stores.scoreStore };
  return { ...stores, runScores: new MemoryRunScores(deps), runTotals: new MemoryRunTotals(deps) };
});
