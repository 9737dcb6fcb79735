import { healthStoresContract } from '../../../test/contracts/health/health-stores.contract.ts';
import { MemoryHealthStore } from './memory-health-store.ts';
import { MemoryScorerGateStore } from './memory-scorer-gate-store.ts';
import { MemoryTruthColumns } from './memory-truth-columns.ts';

healthStoresContract('memory', async () => ({
  port: {
    healthStore: new MemoryHealthStore(),
    truthColumns: new MemoryTruthColumns(),
    scorerGateStore: new MemoryScorerGateStore(),
  },
  close: async () => {},
}));
