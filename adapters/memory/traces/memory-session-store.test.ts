import { sessionStoreContract } from '../../../test/contracts/traces/session-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

sessionStoreContract('memory', async () => openMemoryStores());
