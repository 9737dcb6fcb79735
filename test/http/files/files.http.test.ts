import { startTestServer } from '../harness.ts';
import { filesOf } from './file-walk.ts';

filesOf('in memory', () => startTestServer({ maxProjectFileBytes: 200_000 }));
