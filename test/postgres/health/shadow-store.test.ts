import { PostgresShadowStore } from '../../../adapters/postgres/health/postgres-shadow-store.ts';
import { PostgresScoreStore } from '../../../adapters/postgres/scorers/postgres-score-store.ts';
import { shadowStoreContract } from '../../contracts/health/shadow-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

shadowStoreContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  const shadowScoreStore = new PostgresScoreStore({ session, of: 'shadows' });
  return { ...stores, shadowScoreStore, shadowStore: new PostgresShadowStore({ session }) };
});
