import { startTestServer } from '../harness.ts';
import { streamSearchWalk } from './stream-search-walk.ts';

streamSearchWalk('the stores in memory', startTestServer);
