import { statefulModel } from '../fuzz/stateful/stateful.property.ts';
import { startTestServer } from './harness.ts';

statefulModel('in memory', () => startTestServer(), 60);
