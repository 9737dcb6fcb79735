import { runComparisonRuns } from '../../client/run-comparison-runs.ts';
import { startTestServer } from '../harness.ts';

runComparisonRuns(startTestServer);
