import { startTestServer } from '../http/harness.ts';
import { fieldRuns } from './field-runs.ts';

fieldRuns(startTestServer);
