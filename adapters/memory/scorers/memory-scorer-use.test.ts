import { scorerUseContract } from '../../../test/contracts/scorers/scorer-use.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import { MemoryScorerUse } from './memory-scorer-use.ts';

scorerUseContract('memory', async () => {
  const stores = openMemoryStores();
  return { ...stores, scorerUse: new MemoryScorerUse(stores) };
});
