import { recordRemovalContract } from '../../test/contracts/record-removal.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

recordRemovalContract('memory', async () => openMemoryStores());
