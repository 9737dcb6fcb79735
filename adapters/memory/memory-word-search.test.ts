import { wordSearchContract } from '../../test/contracts/word-search.contract.ts';
import { openMemoryStores } from '../../test/setup/memory-stores.ts';

wordSearchContract('memory', async () => openMemoryStores());
