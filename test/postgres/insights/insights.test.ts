import { insightScanContract } from '../../contracts/insights/insight-scan.contract.ts';
import { insightStoreContract } from '../../contracts/insights/insight-store.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

insightStoreContract('PostgreSQL', openPostgresStores);
insightScanContract('PostgreSQL', openPostgresStores);
