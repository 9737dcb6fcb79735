import { quantileWithin } from '../../kernel/statistics/student-t.ts';
import type { SeriesData } from '../widget-query.ts';
import { computeAutocorrelation, findLevelShifts, type LevelShift, toEffectiveShare } from './level-shifts.ts';
import type { ChangePoint, Level, TrendChange } from './trend-change.ts';

/** Of a hundred series in which nothing changed at most one has a change point. */
export const SIGNIFICANCE = 0.01;
const CONFIDENCE = 0.95;

type Point = SeriesData['points'][number];
type Found = Omit<ChangePoint, 'widget_id' | 'changes'>;

/** Level shifts of one series. Buckets that end after `now`, in ms since 1970, are not whole yet and left out. */
export function findChangePoints(series: SeriesData, now: number, significance = SIGNIFICANCE): Found[] {
  const points = toWhole(series, now);
  const values = points.map(({ value }) => value!);
  const shifts = findLevelShifts(values, { significance });
  return shifts.map((shift, at) => {
    const part = values.slice(shifts[at - 1]?.index ?? 0, shifts[at + 1]?.index ?? values.length);
    return {
      ...toNames(series),
      at: points[shift.index]!.start_time,
      ...toLevels(part, splitOf(shifts, at)),
      p_value: shift.p_value,
    };
  });
}

const splitOf = (shifts: readonly LevelShift[], at: number): number => shifts[at]!.index - (shifts[at - 1]?.index ?? 0);

const toNames = ({ index, label, group, metric, aggregation }: SeriesData) => ({ index, label, group, metric, aggregation });

/** Buckets with a figure. Counts and sums are 0 where nothing was logged yet: what lies before the first number is no level. */
function toWhole({ aggregation, points }: SeriesData, now: number): Point[] {
  const whole = points.filter(({ value, end_time }) => value !== null && Date.parse(end_time) <= now);
  if (aggregation !== 'Count' && aggregation !== 'Sum') return whole;
  const first = whole.findIndex(({ count }) => count > 0);
  return first < 0 ? [] : whole.slice(first);
}

interface Sample {
  readonly mean: number;
  /** Squared standard error of the mean. */
  readonly error: number;
  readonly freedom: number;
  readonly buckets: number;
}

/** Both levels with Student's intervals, and their difference with that of Welch; values that follow each other count for less. */
function toLevels(values: readonly number[], split: number): Pick<ChangePoint, 'before' | 'after' | 'difference'> {
  const share = toEffectiveShare(computeAutocorrelation(values, split));
  const [before, after] = [toSample(values.slice(0, split), share), toSample(values.slice(split), share)];
  return { before: toLevel(before), after: toLevel(after), difference: toDifference(before, after) };
}

function toSample(values: readonly number[], share: number): Sample {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const effective = Math.max(2, values.length * share);
  return { mean, error: squares / (values.length - 1) / effective, freedom: effective - 1, buckets: values.length };
}

const toLevel = ({ mean, error, freedom, buckets }: Sample): Level => ({ ...toInterval(mean, error, freedom), buckets });

function toDifference(before: Sample, after: Sample): ChangePoint['difference'] {
  const error = before.error + after.error;
  const freedom = error === 0 ? 1 : error ** 2 / (before.error ** 2 / before.freedom + after.error ** 2 / after.freedom);
  return toInterval(after.mean - before.mean, error, freedom);
}

function toInterval(mean: number, error: number, freedom: number): Omit<Level, 'buckets'> {
  const half = error === 0 ? 0 : quantileWithin(CONFIDENCE, freedom) * Math.sqrt(error);
  return { mean, low: mean - half, high: mean + half };
}

/** Places of the changes that happened less than `near` ms away from the time, and can have an effect on the metric. */
export function findNear(
  changes: readonly TrendChange[],
  { at, metric }: Pick<ChangePoint, 'at' | 'metric'>,
  near: number,
): number[] {
  return changes.flatMap((change, place) =>
    Math.abs(Date.parse(change.at) - Date.parse(at)) < near && hasEffectOn(change, metric) ? [place] : [],
  );
}

/** Scorers make scores and no other figures, prices make costs; prompts and models may have an effect on all. */
export const hasEffectOn = ({ metric_name }: Pick<TrendChange, 'metric_name'>, metric: string): boolean =>
  metric_name === null || metric_name === metric.replace(/^metrics\/(?=.)/, '');
