import { trialRuns } from '../../client/trial-runs.ts';
import { startTestServer } from '../harness.ts';

trialRuns(startTestServer);
