import { columnStoreContract } from '../../test/contracts/column-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

columnStoreContract('memory', async () => openMemoryStores());
