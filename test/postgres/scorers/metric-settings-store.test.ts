import { metricSettingsStoreContract } from '../../contracts/scorers/metric-settings-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

metricSettingsStoreContract('PostgreSQL', openPostgresStores);
