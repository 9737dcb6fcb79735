import { startTestServer } from '../harness.ts';
import { MAX_ROWS, queryCostOf } from './query-cost-walk.ts';

queryCostOf('in memory', () => startTestServer({ maxQueryRows: MAX_ROWS }));
