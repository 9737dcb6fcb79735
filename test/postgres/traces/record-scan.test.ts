import { recordScanContract } from '../../contracts/traces/record-scan.contract.ts';
import { openPostgresStores } from '../../setup/postgres-stores.ts';

recordScanContract('PostgreSQL', openPostgresStores);
