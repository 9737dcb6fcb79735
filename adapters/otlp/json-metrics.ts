import type { Steps } from '../../core/kernel/slices.ts';
import type { OtlpMetric, OtlpMetricRequest } from '../../core/otel/metrics/otlp-metric.ts';
import { JsonCursor } from './json-cursor.ts';
import { inObject, readAny, readItems } from './json-parts.ts';
import { malformed, type RequestBudget } from './request-budget.ts';

/** Reads an ExportMetricsServiceRequest in OTLP/JSON as far as it is needed: names, and how many data points there are. */
export function* readJsonMetrics(body: Uint8Array, budget: RequestBudget): Steps<OtlpMetricRequest> {
  const reader = new MetricReader(new JsonCursor(body, budget), budget);
  yield* reader.request();
  return { metrics: reader.metrics, malformed: reader.malformed };
}

class MetricReader {
  readonly metrics: OtlpMetric[] = [];
  readonly malformed: string[] = [];
  readonly #cursor: JsonCursor;
  readonly #budget: RequestBudget;

  constructor(cursor: JsonCursor, budget: RequestBudget) {
    this.#cursor = cursor;
    this.#budget = budget;
  }

  *request(): Steps<void> {
    yield* this.#listIn('the body', 'resourceMetrics', () =>
      this.#listIn('resourceMetrics', 'scopeMetrics', () => this.#listIn('scopeMetrics', 'metrics', () => this.#metric())),
    );
    this.#cursor.end();
  }

  /** The object that begins here, called `name` in errors, of which only one list matters. */
  #listIn(name: string, list: string, read: () => Steps<void>): Steps<void> {
    const [cursor, budget] = [this.#cursor, this.#budget];
    return inObject(cursor, name, budget, {
      *[list]() {
        yield* readItems(cursor, list, budget, read);
      },
    });
  }

  *#metric(): Steps<void> {
    const metric: OtlpMetric = { name: '', points: 0 };
    const data = () => this.#listIn('the data of a metric', 'dataPoints', () => this.#point(metric));
    yield* inObject(this.#cursor, 'metrics', this.#budget, {
      name: () => this.#name(metric),
      gauge: data,
      sum: data,
      histogram: data,
      exponentialHistogram: data,
      summary: data,
    });
    this.metrics.push(metric);
  }

  *#name(into: OtlpMetric): Steps<void> {
    const name = yield* readAny(this.#cursor, this.#budget);
    if (typeof name !== 'string') throw malformed('name is not a string');
    into.name = name;
  }

  *#point(of: OtlpMetric): Steps<void> {
    this.#budget.takeItem();
    const isObject = this.#cursor.isAtObject;
    yield* readAny(this.#cursor, this.#budget);
    if (isObject) of.points += 1;
    else this.malformed.push('a data point is not an object');
  }
}
