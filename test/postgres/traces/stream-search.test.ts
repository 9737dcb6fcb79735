import { streamSearchWalk } from '../../http/traces/stream-search-walk.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

streamSearchWalk('PostgreSQL', startPostgresService);
