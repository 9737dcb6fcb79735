import { scoreStoreContract } from '../../../test/contracts/scorers/score-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

scoreStoreContract('memory', async () => openMemoryStores());
