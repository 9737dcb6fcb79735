import { MemoryTransactions } from '../../../adapters/memory/memory-transactions.ts';
import { MemoryScorerStore } from '../../../adapters/memory/scorers/memory-scorer-store.ts';
import { presetSeedingContract } from '../../../test/contracts/scorers/preset-seeding.contract.ts';

presetSeedingContract('memory', async () => ({
  port: { scorerStore: new MemoryScorerStore(), transactions: new MemoryTransactions() },
  close: async () => {},
}));
