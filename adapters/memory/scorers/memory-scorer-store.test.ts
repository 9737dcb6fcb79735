import { scorerStoreContract } from '../../../test/contracts/scorers/scorer-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryScorerStore } from './memory-scorer-store.ts';

scorerStoreContract('memory', async () => ({
  port: new MemoryScorerStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
