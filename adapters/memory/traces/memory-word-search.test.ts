import { wordSearchContract } from '../../../test/contracts/traces/word-search.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

wordSearchContract('memory', async () => openMemoryStores());
