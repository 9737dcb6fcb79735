import { recordRemovalContract } from '../../../test/contracts/traces/record-removal.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

recordRemovalContract('memory', async () => openMemoryStores());
