import { MemoryDatabase } from '../../../adapters/memory/memory-database.ts';
import { MemoryScorerStore } from '../../../adapters/memory/scorers/memory-scorer-store.ts';
import { presetSeedingContract } from '../../../test/contracts/scorers/preset-seeding.contract.ts';

presetSeedingContract('memory', async () => ({
  port: { scorerStore: new MemoryScorerStore({ database: new MemoryDatabase() }), transactions: new MemoryDatabase() },
  close: async () => {},
}));
