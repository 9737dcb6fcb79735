import type { MetricSeriesStore, SeriesNumbers } from '../otel/metrics/metric-series-store.ts';
import { isCounted } from '../record-index/record-metrics.ts';
import { together } from './aggregate.ts';
import type { MetricSlice, SeriesProblem } from './metric-slice.ts';
import { computeBounds, toSeries } from './series-drawing.ts';
import { planSeries, type SeriesPlan } from './series-plan.ts';
import type { HourlySlice, NumbersOfBucket, SeriesStore } from './series-store.ts';
import type { Widget } from './widget.ts';
import { checkSize, isHourly, type Span, type WidgetData, type WidgetQuery } from './widget-query.ts';

/** Of one series, that are read one by one: some seconds of work. */
const MAX_NUMBERS = 1_000_000;
/** Of one series, over all its groups. */
const MAX_POINTS = 20_000;
/** Series of one call that are read from records, and how many of them at the same time. */
const MAX_FROM_RECORDS = 100;
/** Series over metrics of OpenTelemetry, and the hours of series that one of them may be made of. */
const MAX_METRIC_SERIES = 100;
const MAX_SERIES_HOURS = 200_000;
const AT_ONCE = 2;

type Question = Pick<WidgetQuery, 'filters' | 'max_groups' | 'exact'>;
type Drawn = Pick<Widget, 'id' | 'name' | 'type' | 'metric' | 'aggregation' | 'dataset'>;

interface Asked {
  readonly plan: SeriesPlan;
  /** Null: only the whole time is wanted. */
  readonly minutes: number | null;
}
interface Answer {
  readonly asked: Asked;
  readonly rows: readonly NumbersOfBucket[];
  readonly is_exact: boolean;
  readonly groups_left_out: number;
  readonly problem?: { readonly code: string; readonly message: string };
}

export interface WidgetReaderDeps {
  readonly seriesStore: SeriesStore;
  readonly metricSeriesStore: Pick<MetricSeriesStore, 'aggregate' | 'names'>;
}

/** Computes widgets: from the hourly roll-up where that holds what is asked for, else from the records. */
export class WidgetReader {
  readonly #store: SeriesStore;
  readonly #metrics: Pick<MetricSeriesStore, 'aggregate' | 'names'>;

  constructor({ seriesStore, metricSeriesStore }: WidgetReaderDeps) {
    this.#store = seriesStore;
    this.#metrics = metricSeriesStore;
  }

  /** All in one go, in their order. Rejects with AppError `too_many_buckets` when that would be too much. */
  async read(span: Span, widgets: readonly Drawn[], question: Question): Promise<WidgetData[]> {
    const settings = { filters: question.filters, minutes: span.minutes, max_groups: question.max_groups };
    const asked = widgets.map((widget) => {
      const minutes = hasPoints(widget) ? span.minutes : null;
      return planSeries(widget, settings).map((plan): Asked => ({ plan, minutes }));
    });
    const bounds = computeBounds(span);
    checkSize(asked.flat().length, bounds.length);
    const answers = await this.#answers(span, asked.flat(), question.exact);
    const unseen = await this.#unseenMetrics(span, [...answers.values()]);
    return widgets.map((widget, index) => {
      const own = asked[index]!.map((one) => answers.get(one)!);
      return {
        widget_id: widget.id,
        name: widget.name,
        type: widget.type,
        start_time: span.from,
        end_time: span.to,
        series: own
          .filter(({ problem }) => !problem)
          .flatMap(({ asked: { plan, minutes }, rows, is_exact }) => {
            return toSeries(plan, rows, is_exact, minutes === null ? [] : bounds);
          }),
        groups_left_out: own.reduce((sum, { groups_left_out }) => sum + groups_left_out, 0),
        problems: own.flatMap(({ asked: { plan }, problem }) => {
          const found = problem ?? (unseen.has(plan.metric) ? withoutValues(plan.metric) : undefined);
          return found ? [{ index: plan.index, ...found }] : [];
        }),
      };
    });
  }

  /** Of the metrics that have no value in the span, those that no record of the run has ever had. */
  async #unseenMetrics(span: Span, answers: readonly Answer[]): Promise<ReadonlySet<string>> {
    const empty = answers.filter(({ rows, problem }) => !problem && together(rows).count === 0);
    const plans = empty.map(({ asked }) => asked.plan);
    const unseen = await this.#unseenSeries(
      span,
      plans.filter(({ metric_series }) => metric_series).map(({ metric }) => metric),
    );
    const ofRecords = plans.filter(({ metric_series, records }) => !metric_series && !isCounted(records.name));
    const names = [...new Set(ofRecords.map(({ records }) => records.name))];
    if (names.length === 0) return unseen;
    const slices = names.map((name): HourlySlice => ({ name, types: undefined, detail: 'sums', by_type: false }));
    const found = await this.#store.fromHours({ ...span, ...ALWAYS, minutes: null }, slices);
    const unknown = new Set(names.filter((_, at) => together(found[at]!).count === 0));
    return new Set([...unseen, ...ofRecords.filter(({ records }) => unknown.has(records.name)).map(({ metric }) => metric)]);
  }

  async #unseenSeries({ project_id, run_id }: Span, metrics: readonly string[]): Promise<ReadonlySet<string>> {
    if (metrics.length === 0) return new Set();
    const known = new Set((await this.#metrics.names(project_id, run_id)).map(({ name }) => name));
    return new Set(metrics.filter((metric) => !known.has(metric)));
  }

  async #answers(span: Span, asked: readonly Asked[], exact: boolean): Promise<Map<Asked, Answer>> {
    const isFromHours = ({ plan }: Asked): boolean => plan.hours !== undefined && !(exact && plan.hours.detail === 'sketch');
    const [measured, others] = [asked.filter(isOfSeries), asked.filter((one) => !isOfSeries(one))];
    const [hourly, single] = [others.filter(isFromHours), others.filter((one) => !isFromHours(one))];
    const read = single.slice(0, MAX_FROM_RECORDS);
    const sizes = await this.#sizes(span, read);
    const answers = [...(await this.#fromHours(span, hourly)), ...single.slice(MAX_FROM_RECORDS).map(oneTooMany)];
    for (let at = 0; at < read.length; at += AT_ONCE) {
      const some = read.slice(at, at + AT_ONCE);
      answers.push(...(await Promise.all(some.map((one) => this.#fromRecords(span, one, sizes.get(one)!)))));
    }
    for (const [at, one] of measured.entries())
      answers.push(at < MAX_METRIC_SERIES ? await this.#fromSeries(span, one) : oneTooMany(one));
    return new Map(answers.map((answer) => [answer.asked, answer]));
  }

  /** Metrics of OpenTelemetry are kept by the hour: a figure over the whole time is that of whole hours. */
  async #fromSeries(span: Span, asked: Asked): Promise<Answer> {
    const { plan, minutes } = asked;
    const slice = plan.metric_series as MetricSlice | SeriesProblem;
    if ('code' in slice) return refused(asked, slice.code, slice.message);
    if (minutes !== null && !isHourly(minutes)) return refused(asked, 'metric_series_by_minutes', BY_THE_HOUR);
    const time = { from: toHour(span.from, Math.floor), to: toHour(span.to, Math.ceil), minutes };
    const { project_id, run_id } = span;
    const query = { project_id, run_id, ...slice, ...time, max_hours: MAX_SERIES_HOURS };
    const { rows, groups, hours } = await this.#metrics.aggregate(query);
    if (hours > MAX_SERIES_HOURS)
      return refused(asked, 'too_many_numbers', `more than ${MAX_SERIES_HOURS} hours of series to look at`);
    const shown = Math.min(groups, slice.max_groups);
    if (minutes !== null && shown * computeBounds(span).length > MAX_POINTS)
      return refused(asked, 'too_many_points', `${shown} groups have more than ${MAX_POINTS} buckets`);
    const numbers = rows.map(toBucketNumbers);
    const is_exact = EXACT.has(plan.computed);
    return { asked, rows: withTotals(numbers), is_exact, groups_left_out: groups - shown };
  }

  async #fromHours(span: Span, asked: readonly Asked[]): Promise<Answer[]> {
    const answers = await Promise.all(
      [...Map.groupBy(asked, ({ minutes }) => minutes)].map(async ([minutes, some]) => {
        const slices = new Slices();
        const places = some.map(({ plan }) => slices.toPlace(plan.hours!));
        const rows = (await this.#store.fromHours({ ...span, minutes }, slices.all)).map(withTotals);
        return some.map((one, index): Answer => {
          const isPercentile = one.plan.hours!.detail === 'sketch';
          return { asked: one, rows: rows[places[index]!]!, is_exact: !isPercentile, groups_left_out: 0 };
        });
      }),
    );
    return answers.flat();
  }

  /** How many numbers would have to be read, about: the hours hold those that filters would leave out, too. */
  async #sizes(span: Span, asked: readonly Asked[]): Promise<Map<Asked, number>> {
    if (asked.length === 0) return new Map();
    const slices = new Slices();
    const places = asked.map(({ plan: { records } }) => {
      return slices.toPlace({ name: records.name, types: records.types, detail: 'sums', by_type: false });
    });
    const from = `${span.from.slice(0, 13)}:00:00.000Z`;
    const rows = await this.#store.fromHours({ ...span, from, minutes: null }, slices.all);
    return new Map(asked.map((one, index) => [one, together(rows[places[index]!]!).count]));
  }

  async #fromRecords(span: Span, asked: Asked, size: number): Promise<Answer> {
    const { plan, minutes } = asked;
    if (size > MAX_NUMBERS) return refused(asked, 'too_many_numbers', `${size} numbers are more than ${MAX_NUMBERS} to look at`);
    const { rows, groups } = await this.#store.fromRecords({ ...span, minutes }, plan.records);
    const shown = Math.min(groups, plan.records.max_groups);
    if (minutes !== null && shown * computeBounds(span).length > MAX_POINTS)
      return refused(asked, 'too_many_points', `${shown} groups have more than ${MAX_POINTS} buckets`);
    return { asked, rows, is_exact: true, groups_left_out: groups - shown };
  }
}

/** Slices of the roll-up to read, each once and in as much detail as any series needs. */
class Slices {
  readonly all: HourlySlice[] = [];
  readonly #places = new Map<string, number>();

  toPlace(slice: HourlySlice): number {
    const key = JSON.stringify([slice.name, slice.types, slice.by_type]);
    const known = this.#places.get(key);
    if (known === undefined) {
      this.#places.set(key, this.all.length);
      return this.all.push(slice) - 1;
    }
    const there = this.all[known]!;
    if (DETAILS.indexOf(slice.detail) > DETAILS.indexOf(there.detail)) this.all[known] = { ...there, detail: slice.detail };
    return known;
  }
}

const DETAILS: readonly HourlySlice['detail'][] = ['sums', 'zeros', 'sketch'];

const isOfSeries = ({ plan }: Asked): boolean => plan.metric_series !== undefined;

/** Of a histogram everything else is as good as its buckets. */
const EXACT: ReadonlySet<string> = new Set(['Count', 'Sum', 'Average']);
const BY_THE_HOUR = 'metrics of OpenTelemetry are kept by the hour: choose a larger interval';
const HOUR_MS = 3_600_000;

const toHour = (time: string, round: (hours: number) => number): string =>
  new Date(round(Date.parse(time) / HOUR_MS) * HOUR_MS).toISOString();

const toBucketNumbers = (row: SeriesNumbers): NumbersOfBucket => ({ ...row, zeros: row.sketch?.['0'] ?? 0, quantile: null });

/** Whether a widget shows its series bucket by bucket. */
export const hasPoints = ({ type }: Pick<Drawn, 'type'>): boolean => type === 'line_chart' || type === 'bar_chart';

/** Hours that any record may lie in. */
const ALWAYS = { from: '0001-01-01T00:00:00.000Z', to: '9999-12-31T23:00:00.000Z' };

const withoutValues = (metric: string) => ({
  code: 'metric_without_values',
  message: `no record of this run has ever had a value of "${metric}"`,
});

const refused = (asked: Asked, code: string, message: string): Answer => ({
  asked,
  rows: [],
  is_exact: true,
  groups_left_out: 0,
  problem: { code, message },
});

const oneTooMany = (asked: Asked): Answer =>
  refused(asked, 'too_many_series', `more than ${MAX_FROM_RECORDS} series of one call would have to be read from records`);

function withTotals(rows: readonly NumbersOfBucket[]): NumbersOfBucket[] {
  const buckets = rows.filter(({ bucket }) => bucket !== null);
  const totals = [...Map.groupBy(rows, ({ group }) => group)].map(([group, own]) => ({ ...together(own), group, bucket: null }));
  return [...buckets, ...totals];
}
