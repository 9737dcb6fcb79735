import { suspensionStoreContract } from '../../../test/contracts/scorers/suspension-store.contract.ts';
import { openMemoryStores } from '../../../test/setup/memory-stores.ts';
import { MemoryDatabase } from '../memory-database.ts';
import { MemorySuspensionStore } from './memory-suspension-store.ts';

suspensionStoreContract('memory', async () => {
  const { projectStore, close } = openMemoryStores();
  const projectExists = async (id: string) => (await projectStore.findProject(id)) !== undefined;
  return {
    port: { suspensionStore: new MemorySuspensionStore({ database: new MemoryDatabase(), projectExists }), projectStore },
    close,
  };
});
