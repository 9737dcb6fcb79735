import { integrationStoreContract } from '../../../test/contracts/integrations/integration-store.contract.ts';
import { MemoryIntegrationStore } from './memory-integration-store.ts';

integrationStoreContract('memory', async () => ({ port: new MemoryIntegrationStore(), close: async () => {} }));
