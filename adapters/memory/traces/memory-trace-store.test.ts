import { traceStoreContract } from '../../../test/contracts/traces/trace-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

traceStoreContract('memory', async () => openMemoryStores());
