import { PostgresSuspensionStore } from '../../adapters/postgres/postgres-suspension-store.ts';
import { suspensionStoreContract } from '../contracts/suspension-store.contract.ts';
import { openPostgresStores } from '../setup/postgres-stores.ts';

suspensionStoreContract('PostgreSQL', async () => {
  const { projectStore, database, close } = await openPostgresStores();
  const suspensionStore = new PostgresSuspensionStore({ session: database.session });
  return { port: { suspensionStore, projectStore }, close };
});
