import { candidateHealthRuns } from '../../client/candidate-health-runs.ts';
import { trialRuns } from '../../client/trial-runs.ts';
import { startPostgresService } from '../../setup/postgres-service.ts';

trialRuns(startPostgresService);
candidateHealthRuns(startPostgresService);
