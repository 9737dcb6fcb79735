import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import { MAX_BUCKETS } from '../../core/otel/metrics/histogram.ts';
import type { BucketRow, OtlpHistogram, OtlpMetricKind, OtlpMetricRequest } from '../../core/otel/metrics/otlp-metric.ts';
import { JsonCursor } from './json-cursor.ts';
import {
  enumAt,
  getField,
  integerAt,
  type JsonFields,
  listAt,
  objectAt,
  parseInteger,
  textAt,
  unsignedAt,
} from './json-fields.ts';
import { inObject, readAny, readFields, readItems } from './json-parts.ts';
import { readAttributes } from './json-request.ts';
import {
  type MetricDraft,
  NO_VALUE,
  newMetric,
  type PointDraft,
  type ResourceMetricsDraft,
  type ScopeMetricsDraft,
  toKept,
} from './metric-draft.ts';
import { isMalformed, malformed, type RequestBudget } from './request-budget.ts';

const TEMPORALITIES = ['UNSPECIFIED', 'DELTA', 'CUMULATIVE'].map((name) => `AGGREGATION_TEMPORALITY_${name}`);

/** Reads an ExportMetricsServiceRequest in OTLP/JSON, point by point. A point with a field of the wrong kind is left out and named. */
export function* readJsonMetrics(body: Uint8Array, budget: RequestBudget): Steps<OtlpMetricRequest> {
  const reader = new MetricReader(new JsonCursor(body, budget), budget);
  yield* reader.request();
  return { resource_metrics: reader.resources, malformed: reader.malformed };
}

class MetricReader {
  readonly resources: ResourceMetricsDraft[] = [];
  readonly malformed: string[] = [];
  readonly #cursor: JsonCursor;
  readonly #budget: RequestBudget;

  constructor(cursor: JsonCursor, budget: RequestBudget) {
    this.#cursor = cursor;
    this.#budget = budget;
  }

  *request(): Steps<void> {
    yield* this.#object('the body', { resourceMetrics: () => this.#list('resourceMetrics', () => this.#resource()) });
    this.#cursor.end();
  }

  *#resource(): Steps<void> {
    const draft: ResourceMetricsDraft = { resource: new Map(), scope_metrics: [] };
    yield* this.#object('resourceMetrics', {
      resource: () =>
        this.#fields('resource', (fields) => {
          draft.resource = readAttributes(fields, this.#budget, Number.POSITIVE_INFINITY);
        }),
      scopeMetrics: () => this.#list('scopeMetrics', () => this.#scope(draft)),
    });
    this.resources.push(draft);
  }

  *#scope(into: ResourceMetricsDraft): Steps<void> {
    const draft: ScopeMetricsDraft = { scope: { name: '', version: '' }, metrics: [] };
    yield* this.#object('scopeMetrics', {
      scope: () =>
        this.#fields('scope', (fields) => {
          draft.scope = { name: textAt(fields, 'name'), version: textAt(fields, 'version') };
        }),
      metrics: () => this.#list('metrics', () => this.#metric(draft)),
    });
    into.scope_metrics.push(draft);
  }

  *#metric(into: ScopeMetricsDraft): Steps<void> {
    const metric = newMetric();
    const data = (kind: OtlpMetricKind, read: ReadValue) => () => this.#data(metric, kind, read);
    yield* this.#object('metrics', {
      name: () =>
        this.#text('name', (name) => {
          metric.name = name;
        }),
      unit: () =>
        this.#text('unit', (unit) => {
          metric.unit = unit;
        }),
      gauge: data('gauge', readNumber),
      sum: data('sum', readNumber),
      histogram: data('histogram', readHistogram),
      exponentialHistogram: data('histogram', readExponentialHistogram),
      summary: data('summary', () => 0),
    });
    into.metrics.push(toKept(metric));
  }

  *#data(metric: MetricDraft, kind: OtlpMetricKind, read: ReadValue): Steps<void> {
    metric.kind = kind;
    yield* this.#object('the data of a metric', {
      dataPoints: () => this.#list('dataPoints', () => this.#point(metric, read)),
      aggregationTemporality: () =>
        this.#any((value) => {
          metric.temporality = enumAt({ value }, 'value', TEMPORALITIES);
        }),
      isMonotonic: () =>
        this.#any((value) => {
          metric.is_monotonic = value === true;
        }),
    });
  }

  *#point(of: MetricDraft, read: ReadValue): Steps<void> {
    this.#budget.takeItem();
    if (!this.#cursor.isAtObject) {
      yield* readAny(this.#cursor, this.#budget);
      this.malformed.push('a data point is not an object');
      return;
    }
    const { fields } = yield* readFields(this.#cursor, 'a data point', this.#budget);
    const point = this.#readGood(() => readPoint(fields, read, this.#budget));
    if (!point) return;
    of.num_points += 1;
    of.points.push(point);
  }

  /** Undefined for a point that has a field of the wrong kind. */
  #readGood(read: () => PointDraft): PointDraft | undefined {
    try {
      return read();
    } catch (error) {
      if (!isMalformed(error)) throw error;
      this.malformed.push(error.message);
      return undefined;
    }
  }

  #object(name: string, readers: Readonly<Record<string, () => Steps<void>>>): Steps<void> {
    return inObject(this.#cursor, name, this.#budget, readers);
  }

  *#list(name: string, read: () => Steps<void>): Steps<void> {
    yield* readItems(this.#cursor, name, this.#budget, read);
  }

  *#fields(name: string, take: (fields: JsonFields) => void): Steps<void> {
    take((yield* readFields(this.#cursor, name, this.#budget)).fields);
  }

  *#any(take: (value: JsonValue) => void): Steps<void> {
    take((yield* readAny(this.#cursor, this.#budget)) ?? null);
  }

  #text(name: string, take: (text: string) => void): Steps<void> {
    return this.#any((value) => {
      if (typeof value !== 'string') throw malformed(`${name} is not a string`);
      take(value);
    });
  }
}

type ReadValue = (fields: JsonFields, budget: RequestBudget) => number | OtlpHistogram;

const readPoint = (fields: JsonFields, read: ReadValue, budget: RequestBudget): PointDraft => ({
  attributes: readAttributes(fields, budget, budget.limits.maxAttributes),
  start_unix_nano: unsignedAt(fields, 'startTimeUnixNano', 64),
  time_unix_nano: unsignedAt(fields, 'timeUnixNano', 64),
  is_missing: (Number(unsignedAt(fields, 'flags', 32)) & NO_VALUE) !== 0,
  value: read(fields, budget),
});

const readNumber: ReadValue = (fields) =>
  getField(fields, 'asInt') === undefined ? (numberAt(fields, 'asDouble') ?? 0) : Number(integerAt(fields, 'asInt'));

const readHistogram: ReadValue = (fields, budget) => ({
  ...readFacts(fields),
  buckets: {
    bounds: listWithin(fields, 'explicitBounds', budget).map((bound) => toNumber(bound, 'explicitBounds')),
    counts: countsAt(fields, budget),
  },
});

const readExponentialHistogram: ReadValue = (fields, budget) => ({
  ...readFacts(fields),
  buckets: {
    scale: numberAt(fields, 'scale') ?? 0,
    zero_count: countAt(fields, 'zeroCount'),
    positive: rowAt(fields, 'positive', budget),
    negative: rowAt(fields, 'negative', budget),
  },
});

const readFacts = (fields: JsonFields) => ({
  count: countAt(fields, 'count'),
  sum: numberAt(fields, 'sum'),
  min: numberAt(fields, 'min'),
  max: numberAt(fields, 'max'),
});

const countAt = (fields: JsonFields, name: string): number => Number(unsignedAt(fields, name, 64));

function rowAt(fields: JsonFields, name: string, budget: RequestBudget): BucketRow {
  const row = objectAt(fields, name);
  return { offset: numberAt(row, 'offset') ?? 0, counts: countsAt(row, budget) };
}

const countsAt = (fields: JsonFields, budget: RequestBudget): number[] =>
  listWithin(fields, 'bucketCounts', budget).map((count) => Number(parseInteger(count, 'bucketCounts')));

/** One item more than a histogram may have is enough to refuse it. */
function listWithin(fields: JsonFields, name: string, budget: RequestBudget): readonly JsonValue[] {
  const items = listAt(fields, name).slice(0, MAX_BUCKETS + 1);
  budget.takeValues(items.length);
  return items;
}

function numberAt(fields: JsonFields, name: string): number | null {
  const value = getField(fields, name);
  return value === undefined ? null : toNumber(value, name);
}

/** Not a number and the infinities come as texts. */
function toNumber(value: JsonValue, name: string): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number') throw malformed(`${name} is not a number`);
  return number;
}
