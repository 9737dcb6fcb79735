import { projectStoreContract } from '../../../test/contracts/projects/project-store.contract.ts';
import { MemoryProjectStore } from './memory-project-store.ts';

projectStoreContract('memory', async () => ({ port: new MemoryProjectStore(), close: async () => {} }));
