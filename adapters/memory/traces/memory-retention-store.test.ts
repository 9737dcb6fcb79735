import { retentionStoreContract } from '../../../test/contracts/traces/retention-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

retentionStoreContract('memory', async () => openMemoryStores());
