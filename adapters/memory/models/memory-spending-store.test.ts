import { spendingStoreContract } from '../../../test/contracts/models/spending-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

spendingStoreContract('memory', async () => openMemoryStores());
