import { costRecomputeWalk } from '../../http/traces/cost-recompute-walk.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

costRecomputeWalk('PostgreSQL', startPostgresService);
