import { clientRuns } from '../client/client-runs.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

clientRuns(startPostgresService);
