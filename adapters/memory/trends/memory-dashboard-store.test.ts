import { dashboardStoreContract } from '../../../test/contracts/trends/dashboard-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

dashboardStoreContract('memory', async () => openMemoryStores());
