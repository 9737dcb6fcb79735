import { PostgresScorerUse } from '../../../adapters/postgres/scorers/postgres-scorer-use.ts';
import { scorerUseContract } from '../../contracts/scorers/scorer-use.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

scorerUseContract('PostgreSQL', async () => {
  const stores = await openPostgresStores();
  return { ...stores, scorerUse: new PostgresScorerUse(stores.database) };
});
