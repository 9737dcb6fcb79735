import { insightStoreContract } from '../../contracts/insights/insight-store.contract.ts';
import { insightsLookContract } from '../../contracts/insights/insights-look.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

insightStoreContract('PostgreSQL', openPostgresStores);
insightsLookContract('PostgreSQL', openPostgresStores);
