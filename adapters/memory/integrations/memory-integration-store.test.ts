import { integrationStoreContract } from '../../../test/contracts/integrations/integration-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryIntegrationStore } from './memory-integration-store.ts';

integrationStoreContract('memory', async () => ({
  port: new MemoryIntegrationStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
