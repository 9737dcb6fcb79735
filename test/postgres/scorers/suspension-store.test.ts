import { PostgresSuspensionStore } from '../../../adapters/postgres/scorers/postgres-suspension-store.ts';
import { suspensionStoreContract } from '../../contracts/scorers/suspension-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

suspensionStoreContract('PostgreSQL', async () => {
  const { projectStore, database, close } = await openPostgresStores();
  const suspensionStore = new PostgresSuspensionStore({ session: database.session });
  return { port: { suspensionStore, projectStore }, close };
});
