import { strictClientRuns } from '../client/strict-client-runs.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

strictClientRuns(startPostgresService);
