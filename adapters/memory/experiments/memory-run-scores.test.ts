import { runScoresContract } from '../../../test/contracts/experiments/run-scores.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';
import { MemoryRunScores } from './memory-run-scores.ts';
import { MemoryRunTotals } from './memory-run-totals.ts';

runScoresContract('memory', async () => {
  const stores = openMemoryStores();
  const deps = { traceStore: stores.traceStore as MemoryTraceStore, scoreStore: stores.scoreStore };
  return { ...stores, runScores: new MemoryRunScores(deps), runTotals: new MemoryRunTotals(deps) };
});
