import { healthStoresContract } from '../../../test/contracts/health/health-stores.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryHealthStore } from './memory-health-store.ts';
import { MemoryScorerGateStore } from './memory-scorer-gate-store.ts';
import { MemoryTruthColumns } from './memory-truth-columns.ts';

healthStoresContract('memory', async () => ({
  port: {
    healthStore: new MemoryHealthStore({ database: new MemoryDatabase() }),
    truthColumns: new MemoryTruthColumns({ database: new MemoryDatabase() }),
    scorerGateStore: new MemoryScorerGateStore({ database: new MemoryDatabase() }),
  },
  close: async () => {},
}));
