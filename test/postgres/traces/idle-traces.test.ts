import { idleTracesContract } from '../../contracts/traces/idle-traces.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

idleTracesContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  const { session } = stores.database;
  return {
    ...stores,
    pass: async (ms) => {
      await session.sql('update records set updated_at = updated_at - make_interval(secs => $1)', [ms / 1000]);
    },
  };
});
