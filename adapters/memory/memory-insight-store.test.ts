import { insightStoreContract } from '../../test/contracts/insight-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

insightStoreContract('memory', async () => openMemoryStores());
