import { otlpArrival } from '../../contracts/otel/otlp-arrival.property.ts';
import { startTestServer } from '../harness.ts';

otlpArrival('memory', 100, () => startTestServer());
