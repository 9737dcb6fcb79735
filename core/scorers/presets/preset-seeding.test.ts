import { MemoryScorerStore } from '../../../adapters/memory/memory-scorer-store.ts';
import { MemoryTransactions } from '../../../adapters/memory/memory-transactions.ts';
import { presetSeedingContract } from '../../../test/contracts/preset-seeding.contract.ts';

presetSeedingContract('memory', async () => ({
  port: { scorerStore: new MemoryScorerStore(), transactions: new MemoryTransactions() },
  close: async () => {},
}));
