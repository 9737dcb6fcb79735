import { runComparisonRuns } from '../../client/run-comparison-runs.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

runComparisonRuns(startPostgresService);
