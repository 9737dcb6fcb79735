import { fieldRuns } from '../client/field-runs.ts';
import { startPostgresService } from '../setup/postgres-service.ts';

fieldRuns(startPostgresService);
