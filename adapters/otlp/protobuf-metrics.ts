import { BinaryReader } from '@bufbuild/protobuf/wire';
import { AppError } from '../../core/kernel/errors.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import type { OtlpMetric, OtlpMetricRequest } from '../../core/otel/metrics/otlp-metric.ts';
import {
  type FieldSteps,
  type Fields,
  type Frame,
  fillInSteps,
  fillNestedInSteps,
  skipDelimited,
  text,
} from './protobuf-message.ts';
import { malformed, type RequestBudget } from './request-budget.ts';

/** Reads an ExportMetricsServiceRequest as far as it is needed: names, and how many data points there are. */
export function* readProtobufMetrics(body: Uint8Array, budget: RequestBudget): Steps<OtlpMetricRequest> {
  const metrics: OtlpMetric[] = [];
  const frame: Frame = { reader: new BinaryReader(body), budget, end: body.byteLength };
  try {
    yield* fillInSteps(frame, {}, { 1: resourceSteps }, metrics);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('the body is no protobuf message', error);
  }
  return { metrics, malformed: [] };
}

const METRIC: Fields<OtlpMetric> = {
  1: text((into, name) => {
    into.name = name;
  }),
};

// biome-ignore lint/correctness/useYield: a data point is one step; whoever reads the list of them yields between them.
function* pointSteps(frame: Frame, into: OtlpMetric): Steps<void> {
  frame.budget.takeItem();
  skipDelimited(frame);
  into.points += 1;
}

const dataSteps: FieldSteps<OtlpMetric> = (frame, into) => fillNestedInSteps(frame, {}, { 1: pointSteps }, into);

/** A gauge, a sum, a histogram, one with exponential buckets, a summary: each has its data points under the same number. */
const DATA = { 5: dataSteps, 7: dataSteps, 9: dataSteps, 10: dataSteps, 11: dataSteps };

/** A message of ours takes the room of several values, and two bytes are enough to ask for one. */
const VALUES_PER_MESSAGE = 8;

function* metricSteps(frame: Frame, into: OtlpMetric[]): Steps<void> {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  const metric: OtlpMetric = { name: '', points: 0 };
  yield* fillNestedInSteps(frame, METRIC, DATA, metric);
  into.push(metric);
}

const scopeSteps: FieldSteps<OtlpMetric[]> = (frame, into) => fillNestedInSteps(frame, {}, { 2: metricSteps }, into);

const resourceSteps: FieldSteps<OtlpMetric[]> = (frame, into) => fillNestedInSteps(frame, {}, { 2: scopeSteps }, into);
