import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { AppError } from '../../core/kernel/errors.ts';
import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import { MAX_BUCKETS } from '../../core/otel/metrics/histogram.ts';
import type {
  BucketRow,
  ExplicitBuckets,
  ExponentialBuckets,
  OtlpHistogram,
  OtlpMetricKind,
  OtlpMetricRequest,
} from '../../core/otel/metrics/otlp-metric.ts';
import {
  type MetricDraft,
  NO_VALUE,
  newMetric,
  type PointDraft,
  type ResourceMetricsDraft,
  type ScopeMetricsDraft,
  toKept,
} from './metric-draft.ts';
import {
  bool,
  double,
  type Field,
  type FieldSteps,
  type Fields,
  type Frame,
  fillInSteps,
  fillNested,
  fillNestedInSteps,
  fixed64,
  int32,
  message,
  skipDelimited,
  text,
  uint32,
} from './protobuf-message.ts';
import { readAttribute } from './protobuf-value.ts';
import { malformed, type RequestBudget } from './request-budget.ts';
import type { Draft } from './span-draft.ts';

/** Reads an ExportMetricsServiceRequest, field by field as spans are read. */
export function* readProtobufMetrics(body: Uint8Array, budget: RequestBudget): Steps<OtlpMetricRequest> {
  const resource_metrics: ResourceMetricsDraft[] = [];
  const frame: Frame = { reader: new BinaryReader(body), budget, end: body.byteLength };
  try {
    yield* fillInSteps(frame, {}, { 1: resourceSteps }, resource_metrics);
  } catch (error) {
    throw error instanceof AppError ? error : malformed('the body is no protobuf message', error);
  }
  return { resource_metrics, malformed: [] };
}

type HistogramDraft = Draft<Omit<OtlpHistogram, 'buckets'>>;
interface NumberPoint extends Omit<PointDraft, 'value'> {
  value: number;
}
interface HistogramPoint extends Omit<PointDraft, 'value'> {
  value: HistogramDraft & { buckets: Draft<ExplicitBuckets> };
}
interface ExponentialPoint extends Omit<PointDraft, 'value'> {
  value: HistogramDraft & { buckets: Draft<ExponentialBuckets> };
}

const newPoint = () => ({
  attributes: new Map<string, JsonValue>(),
  start_unix_nano: 0n,
  time_unix_nano: 0n,
  is_missing: false,
});
const newFacts = (): HistogramDraft => ({ count: 0, sum: null, min: null, max: null });
const newRow = (): Draft<BucketRow> => ({ offset: 0, counts: [] });

/** Fields that points of all kinds have, of which attributes and flags have other numbers in each. */
const pointFields = (attributes: number, flags: number): Fields<PointDraft> => ({
  [attributes]: message((frame, into) => {
    if (into.attributes.size < frame.budget.limits.maxAttributes) readAttribute(frame, into.attributes);
    else skipDelimited(frame);
  }),
  2: fixed64((into, nanos) => {
    into.start_unix_nano = nanos;
  }),
  3: fixed64((into, nanos) => {
    into.time_unix_nano = nanos;
  }),
  [flags]: uint32((into, bits) => {
    into.is_missing = (bits & NO_VALUE) !== 0;
  }),
});

const NUMBER: Fields<NumberPoint> = {
  ...pointFields(7, 8),
  4: double((into, value) => {
    into.value = value;
  }),
  6: {
    wire: WireType.Bit64,
    read: ({ reader }, into) => {
      into.value = Number(reader.sfixed64());
    },
  },
};

/** Fields that histograms of both kinds have under the same numbers. */
const COMMON: Fields<{ readonly value: HistogramDraft }> = {
  4: fixed64(({ value }, count) => {
    value.count = Number(count);
  }),
  5: double(({ value }, sum) => {
    value.sum = sum;
  }),
};

/** The numbers of a list that is packed into one field. One more than a histogram may have is enough to refuse it. */
function packed(take: (frame: Frame) => number): (frame: Frame) => number[] {
  return (frame) => {
    const { reader, budget } = frame;
    const end = reader.uint32() + reader.pos;
    if (end > frame.end) throw malformed('a list is longer than the message it is in');
    const numbers: number[] = [];
    while (reader.pos < end && numbers.length <= MAX_BUCKETS) numbers.push(take(frame));
    if (reader.pos > end) throw malformed('a list is longer than it says');
    budget.takeValues(numbers.length);
    reader.pos = end;
    return numbers;
  };
}

const numbers = <T>(take: (frame: Frame) => number, set: (into: T, values: number[]) => void): Field<T> => {
  const read = packed(take);
  return { wire: WireType.LengthDelimited, read: (frame, into) => set(into, read(frame)) };
};

const HISTOGRAM: Fields<HistogramPoint> = {
  ...pointFields(9, 10),
  ...COMMON,
  6: numbers(
    ({ reader }) => Number(reader.fixed64()),
    ({ value }, counts) => {
      value.buckets.counts = counts;
    },
  ),
  7: numbers(
    ({ reader }) => reader.double(),
    ({ value }, bounds) => {
      value.buckets.bounds = bounds;
    },
  ),
  11: double(({ value }, min) => {
    value.min = min;
  }),
  12: double(({ value }, max) => {
    value.max = max;
  }),
};

const ROW: Fields<Draft<BucketRow>> = {
  1: {
    wire: WireType.Varint,
    read: ({ reader }, into) => {
      into.offset = reader.sint32();
    },
  },
  2: numbers(
    ({ reader }) => Number(reader.uint64()),
    (into, counts) => {
      into.counts = counts;
    },
  ),
};

const row = (set: (into: ExponentialPoint['value']['buckets'], made: BucketRow) => void): Field<ExponentialPoint> =>
  message((frame, { value }) => {
    const made = newRow();
    fillNested(frame, ROW, made);
    set(value.buckets, made);
  });

const EXPONENTIAL: Fields<ExponentialPoint> = {
  ...pointFields(1, 10),
  ...COMMON,
  6: {
    wire: WireType.Varint,
    read: ({ reader }, { value }) => {
      value.buckets.scale = reader.sint32();
    },
  },
  7: fixed64(({ value }, count) => {
    value.buckets.zero_count = Number(count);
  }),
  8: row((into, made) => {
    into.positive = made;
  }),
  9: row((into, made) => {
    into.negative = made;
  }),
  12: double(({ value }, min) => {
    value.min = min;
  }),
  13: double(({ value }, max) => {
    value.max = max;
  }),
};

const DATA_FIELDS: Fields<MetricDraft> = {
  2: int32((into, temporality) => {
    into.temporality = temporality;
  }),
  3: bool((into, isMonotonic) => {
    into.is_monotonic = isMonotonic;
  }),
};

/** A message of ours takes the room of several values, and two bytes are enough to ask for one. */
const VALUES_PER_MESSAGE = 8;

/** The data of a metric of one kind: all kinds have their data points under the same number. */
function toDataSteps<T extends PointDraft>(kind: OtlpMetricKind, fields: Fields<T>, make: () => T): FieldSteps<MetricDraft> {
  // biome-ignore lint/correctness/useYield: a data point is one step; whoever reads the list of them yields between them.
  function* pointSteps(frame: Frame, into: MetricDraft): Steps<void> {
    frame.budget.takeItem();
    frame.budget.takeValues(VALUES_PER_MESSAGE);
    const point = make();
    fillNested(frame, fields, point);
    into.num_points += 1;
    into.points.push(point);
  }
  return (frame, into) => {
    into.kind = kind;
    return fillNestedInSteps(frame, DATA_FIELDS, { 1: pointSteps }, into);
  };
}

const numberSteps = (kind: OtlpMetricKind) => toDataSteps<NumberPoint>(kind, NUMBER, () => ({ ...newPoint(), value: 0 }));

const DATA = {
  5: numberSteps('gauge'),
  7: numberSteps('sum'),
  9: toDataSteps<HistogramPoint>('histogram', HISTOGRAM, () => ({
    ...newPoint(),
    value: { ...newFacts(), buckets: { bounds: [], counts: [] } },
  })),
  10: toDataSteps<ExponentialPoint>('histogram', EXPONENTIAL, () => ({
    ...newPoint(),
    value: { ...newFacts(), buckets: { scale: 0, zero_count: 0, positive: newRow(), negative: newRow() } },
  })),
  11: toDataSteps<PointDraft>('summary', pointFields(7, 8), () => ({ ...newPoint(), value: 0 })),
};

const METRIC: Fields<MetricDraft> = {
  1: text((into, name) => {
    into.name = name;
  }),
  3: text((into, unit) => {
    into.unit = unit;
  }),
};

function* metricSteps(frame: Frame, into: ScopeMetricsDraft): Steps<void> {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  const metric = newMetric();
  yield* fillNestedInSteps(frame, METRIC, DATA, metric);
  into.metrics.push(toKept(metric));
}

const SCOPE: Fields<ScopeMetricsDraft['scope']> = {
  1: text((into, name) => {
    into.name = name;
  }),
  2: text((into, version) => {
    into.version = version;
  }),
};
const SCOPE_FIELDS: Fields<ScopeMetricsDraft> = { 1: message((frame, into) => fillNested(frame, SCOPE, into.scope)) };

function* scopeSteps(frame: Frame, into: ResourceMetricsDraft): Steps<void> {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  const draft: ScopeMetricsDraft = { scope: { name: '', version: '' }, metrics: [] };
  yield* fillNestedInSteps(frame, SCOPE_FIELDS, { 2: metricSteps }, draft);
  into.scope_metrics.push(draft);
}

const RESOURCE: Fields<Map<string, JsonValue>> = { 1: message((frame, into) => void readAttribute(frame, into)) };
const RESOURCE_FIELDS: Fields<ResourceMetricsDraft> = {
  1: message((frame, into) => {
    frame.budget.begin();
    fillNested(frame, RESOURCE, into.resource);
  }),
};

function* resourceSteps(frame: Frame, into: ResourceMetricsDraft[]): Steps<void> {
  frame.budget.takeValues(VALUES_PER_MESSAGE);
  const draft: ResourceMetricsDraft = { resource: new Map(), scope_metrics: [] };
  yield* fillNestedInSteps(frame, RESOURCE_FIELDS, { 2: scopeSteps }, draft);
  into.push(draft);
}
