import { candidateHealthRuns } from '../../client/candidate-health-runs.ts';
import { startTestServer } from '../harness.ts';

candidateHealthRuns(startTestServer);
