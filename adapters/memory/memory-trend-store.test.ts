import { trendStoreContract } from '../../test/contracts/trend-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

trendStoreContract('memory', async () => openMemoryStores());
