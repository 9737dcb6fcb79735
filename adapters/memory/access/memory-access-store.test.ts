import { accessStoreContract } from '../../../test/contracts/access/access-store.contract.ts';
import { MemoryAccessStore } from './memory-access-store.ts';

accessStoreContract('memory', async () => ({ port: new MemoryAccessStore(), close: async () => {} }));
