import { contentRuns } from '../client/content-runs.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

contentRuns(startPostgresService);
