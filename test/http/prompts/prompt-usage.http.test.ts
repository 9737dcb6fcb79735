import { startTestServer } from '../harness.ts';
import { promptUsageOf } from './prompt-usage-walk.ts';

promptUsageOf('in memory', startTestServer);
