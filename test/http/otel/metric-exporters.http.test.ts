import { metricExporters } from '../../contracts/otel/metric-exporters.contract.ts';
import { startTestServer } from '../harness.ts';

metricExporters('the stores in memory', () => startTestServer());
