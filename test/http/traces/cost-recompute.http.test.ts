import { startTestServer } from '../harness.ts';
import { costRecomputeWalk } from './cost-recompute-walk.ts';

costRecomputeWalk('the stores in memory', startTestServer);
