import { startTestServer } from '../http/harness.ts';
import { wordAliasRuns } from './word-alias-runs.ts';

wordAliasRuns(startTestServer);
