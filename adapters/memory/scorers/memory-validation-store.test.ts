import { validationStoreContract } from '../../../test/contracts/scorers/validation-store.contract.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemoryValidationStore } from './memory-validation-store.ts';

validationStoreContract('memory', async () => ({
  port: new MemoryValidationStore({ database: new MemoryDatabase() }),
  close: async () => {},
}));
