import { validationStoreContract } from '../../../test/contracts/scorers/validation-store.contract.ts';
import { MemoryValidationStore } from './memory-validation-store.ts';

validationStoreContract('memory', async () => ({ port: new MemoryValidationStore(), close: async () => {} }));
