import { startTestServer } from '../http/harness.ts';
import { strictClientRuns } from './strict-client-runs.ts';

strictClientRuns(startTestServer);
