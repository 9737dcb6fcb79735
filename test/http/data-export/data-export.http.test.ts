import { startTestServer } from '../harness.ts';
import { dataExportOf } from './export-walk.ts';

dataExportOf('in memory', startTestServer);
