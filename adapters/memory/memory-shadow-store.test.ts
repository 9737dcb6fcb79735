import { shadowStoreContract } from '../../test/contracts/shadow-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

shadowStoreContract('memory', async () => openMemoryStores());
