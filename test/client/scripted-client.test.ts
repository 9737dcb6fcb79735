import { startTestServer } from '../http/harness.ts';
import { clientRuns } from './client-runs.ts';

clientRuns(startTestServer);
