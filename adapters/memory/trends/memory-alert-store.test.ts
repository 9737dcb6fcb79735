import { alertStoreContract } from '../../../test/contracts/trends/alert-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

alertStoreContract('memory', async () => openMemoryStores());
