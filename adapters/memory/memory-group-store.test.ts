import { groupStoreContract } from '../../test/contracts/group-store.contract.ts';
import { MemoryGroupStore } from './memory-group-store.ts';

groupStoreContract('memory', async () => ({ port: new MemoryGroupStore(), close: async () => {} }));
