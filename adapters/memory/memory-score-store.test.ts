import { scoreStoreContract } from '../../test/contracts/score-store.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

scoreStoreContract('memory', async () => openMemoryStores());
