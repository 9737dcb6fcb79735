import { insightStoreContract } from '../../../test/contracts/insights/insight-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

insightStoreContract('memory', async () => openMemoryStores());
