import { shadowStoreContract } from '../../../test/contracts/health/shadow-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

shadowStoreContract('memory', async () => openMemoryStores());
