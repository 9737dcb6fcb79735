import { startTestServer } from '../http/harness.ts';
import { contentRuns } from './content-runs.ts';

contentRuns(startTestServer);
