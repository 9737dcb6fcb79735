import { trendStoreContract } from '../../../test/contracts/trends/trend-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

trendStoreContract('memory', async () => openMemoryStores());
