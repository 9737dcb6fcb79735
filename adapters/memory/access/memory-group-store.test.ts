import { groupStoreContract } from '../../../test/contracts/access/group-store.contract.ts';
import { MemoryGroupStore } from './memory-group-store.ts';

groupStoreContract('memory', async () => ({ port: new MemoryGroupStore(), close: async () => {} }));
