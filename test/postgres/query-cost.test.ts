import { MAX_ROWS, queryCostOf } from '../http/traces/query-cost-walk.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

queryCostOf('on PostgreSQL', () => startPostgresService({ maxQueryRows: MAX_ROWS }));
