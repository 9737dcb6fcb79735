import { scoresBelowContract } from '../../../test/contracts/scorers/scores-below.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';

scoresBelowContract('memory', async () => openMemoryStores());
