import { startTestServer } from '../harness.ts';
import { widgetFilterTests } from './widget-filters.ts';

widgetFilterTests('memory', startTestServer);
