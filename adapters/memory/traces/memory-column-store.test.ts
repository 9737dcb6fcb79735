import { columnStoreContract } from '../../../test/contracts/traces/column-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

columnStoreContract('memory', async () => openMemoryStores());
