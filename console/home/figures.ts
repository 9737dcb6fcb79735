import type { SeriesData, WidgetData } from '../../core/trends/widget-query.ts';
import type { ChartSeries, Values } from '../kit/chart-model.ts';

/** The dashboard of one log stream for a time. */
export interface StreamFigures {
  readonly name: string;
  readonly widgets: readonly WidgetData[];
}

/** A figure of all log streams together, and how it went. */
export interface Trend {
  readonly total: number | null;
  readonly series: readonly ChartSeries[];
}

/** Figures of a project over time. */
export interface ProjectFigures {
  /** Beginnings of the buckets, in seconds since 1970. */
  readonly x: readonly number[];
  readonly traces: Trend;
  /** Between 0 and 1. */
  readonly error_rate: Trend;
  /** Of the log stream in which it is highest; percentiles do not add up. */
  readonly latency: Trend;
  readonly cost: Trend;
  /** Between 0 and 1; scores that are counts or words have no place here. */
  readonly quality: Trend & { readonly metrics: readonly string[] };
}

type Figure = Pick<SeriesData, 'metric' | 'aggregation'>;
const TRACES: Figure = { metric: 'records', aggregation: 'Count' };
const ERRORS: Figure = { metric: 'errors', aggregation: 'Sum' };
const LATENCY: Figure = { metric: 'duration_ns', aggregation: 'P95' };
const COST: Figure = { metric: 'cost', aggregation: 'Sum' };
/** Of numbers that came along, which nobody judged by. */
const MEASURED = /^(records|errors|cost)$|_ns$|_tokens$/;

/** Puts together what the dashboards of the log streams show; one without such a widget has no part in the figure. */
export function toProjectFigures(streams: readonly StreamFigures[]): ProjectFigures {
  const own = streams.map((stream) => ({ name: stream.name, series: stream.widgets.flatMap(drawnSeries) }));
  const x = (own.find(({ series }) => series.length > 0)?.series[0]?.points ?? []).map(
    ({ start_time }) => Date.parse(start_time) / 1000,
  );
  const find = (figure: Figure) =>
    own.flatMap(({ name, series }) => {
      const found = series.find((one) => isOf(one, figure));
      return found ? [{ name, found }] : [];
    });
  const [traces, errors, latency, cost] = [find(TRACES), find(ERRORS), find(LATENCY), find(COST)];
  const quality = own.flatMap(({ name, series }) => series.filter(isQuality).map((found) => ({ name, found: toShare(found) })));
  const counted = traces.filter(({ name }) => errors.some((one) => one.name === name));
  return {
    x,
    traces: { total: sumOf(traces), series: traces.map((one) => toSeries(one, 'bars')) },
    error_rate: {
      total: toRate(sumOf(errors), sumOf(counted)),
      series: errors.length === 0 ? [] : [{ label: 'Error rate', kind: 'line', values: ratesOf(x, errors, counted) }],
    },
    latency: { total: highest(latency), series: latency.map((one) => toSeries(one, 'line')) },
    cost: { total: sumOf(cost), series: cost.map((one) => toSeries(one, 'bars')) },
    quality: {
      total: null,
      metrics: [...new Set(quality.map(({ found }) => found.metric))],
      series: quality.map(({ name, found }) =>
        toSeries({ name: streams.length > 1 ? `${found.label} · ${name}` : found.label, found }, 'line'),
      ),
    },
  };
}

const drawnSeries = ({ series }: WidgetData): readonly SeriesData[] =>
  series.filter(({ points, group }) => points.length > 0 && group === null);

const isOf = (series: SeriesData, { metric, aggregation }: Figure): boolean =>
  series.metric === metric && series.aggregation === aggregation && series.count > 0;

/** Whether scores are shares of what they could be: percentages, or numbers between 0 and 1. */
function isQuality({ metric, aggregation, count, points }: SeriesData): boolean {
  if (count === 0 || MEASURED.test(metric)) return false;
  if (aggregation === 'PercentageTrue') return true;
  return aggregation === 'Average' && points.every(({ value }) => value === null || (value >= 0 && value <= 1));
}

/** Percentages as shares, so that all scores stand on one axis. */
function toShare(series: SeriesData): SeriesData {
  if (series.aggregation !== 'PercentageTrue') return series;
  return {
    ...series,
    points: series.points.map((point) => ({ ...point, value: point.value === null ? null : point.value / 100 })),
  };
}

interface OfStream {
  readonly name: string;
  readonly found: SeriesData;
}

const toSeries = ({ name, found }: OfStream, kind: ChartSeries['kind']): ChartSeries => ({
  label: name,
  kind,
  values: found.points.map(({ value }) => value),
});

const sumOf = (all: readonly OfStream[]): number | null =>
  all.length === 0 ? null : all.reduce((sum, { found }) => sum + (found.value ?? 0), 0);

const highest = (all: readonly OfStream[]): number | null =>
  all.reduce<number | null>((most, { found: { value } }) => (value !== null && (most ?? value) <= value ? value : most), null);

const toRate = (errors: number | null, traces: number | null): number | null =>
  errors === null || !traces ? null : errors / traces;

/** The share of errors in each bucket; none where there are no traces. */
const ratesOf = (x: readonly number[], errors: readonly OfStream[], traces: readonly OfStream[]): Values =>
  x.map((_, at) => toRate(sumAt(errors, at), sumAt(traces, at)));

const sumAt = (all: readonly OfStream[], at: number): number =>
  all.reduce((sum, { found }) => sum + (found.points[at]?.value ?? 0), 0);
