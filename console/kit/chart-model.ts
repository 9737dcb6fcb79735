export interface ChartProps {
  /** Accessible label of the chart. */
  readonly label: string;
  /** The places of the values, ascending: seconds since 1970 where `isTime`, else any numbers. */
  readonly x: readonly number[];
  /** A place in full, for the tooltip and the table. */
  readonly xText: (x: number) => string;
  /** A place below the axis, where it is not a time; `xText` when left out. */
  readonly markText?: ((x: number) => string) | undefined;
  /** Heading of the places' column in the table. */
  readonly xHeading: string;
  readonly valueText: (value: number) => string;
  readonly series: readonly ChartSeries[];
  readonly isTime?: boolean;
  /** Bars on top of each other, for parts of a sum, in place of beside each other. */
  readonly isStacked?: boolean;
  /** Fixes the ends of the y axis. */
  readonly bounds?: Range | undefined;
  /** Of the drawing, in CSS pixels. */
  readonly height?: number;
  /** Where a click on a place, or its row in the table, leads. */
  readonly toPath?: ((index: number) => string | undefined) | undefined;
  /** Changes at some places, drawn as lines across and told below. */
  readonly marks?: readonly ChartMark[] | undefined;
  /** Whether the changes are told without asking. */
  readonly tellsMarks?: boolean;
  /** A range chosen by dragging over the drawing. */
  readonly onRange?: ((from: number, to: number) => void) | undefined;
}

export interface ChartMark {
  /** One of the places of the chart. */
  readonly x: number;
  /** When it happened, as an ISO timestamp. */
  readonly at: string;
  readonly text: string;
  /** Where it leads. */
  readonly path?: string | undefined;
  /** Whether it was found in the figures, and nobody said so. */
  readonly isFound: boolean;
}

/** A series as the chart draws it; all arrays are as long as the chart's `x`. */
export interface ChartSeries {
  readonly label: string;
  readonly kind: 'line' | 'bars';
  /** Null where there is none: a line has a gap there. */
  readonly values: Values;
  /** Confidence interval of the figure, drawn as a shaded band around it. */
  readonly interval?: { readonly low: Values; readonly high: Values } | undefined;
}
export type Values = readonly (number | null)[];
export type Range = readonly [low: number, high: number];

/** A series beside the number of the colour it keeps, however many others are hidden. */
export type ColoredSeries = ChartSeries & { readonly color: number };

/** Of one series where its bars begin and end; `from` is undefined where that is zero. */
export interface Bars {
  readonly x0: readonly number[];
  readonly width: number;
  readonly from: readonly number[] | undefined;
  readonly to: Values;
}

/** Of the distance of two places so much is filled by bars. */
const FILLED = 0.8;

/** The smallest distance of two neighbours; 1 when there are none. */
export function toStep(x: readonly number[]): number {
  const steps = x.slice(1).map((at, index) => at - x[index]!);
  return steps.length === 0 ? 1 : Math.min(...steps);
}

/** The place that a moment belongs to; undefined outside of all. */
export function findBucket(x: readonly number[], at: number): number | undefined {
  const found = x.findLast((start) => start <= at);
  return found !== undefined && at < found + toStep(x) ? found : undefined;
}

/** Half a place more on both sides, so that the first and the last bar are whole. */
export function xRange(x: readonly number[]): Range {
  const half = toStep(x) / 2;
  return x.length === 0 ? [0, 1] : [x[0]! - half, x.at(-1)! + half];
}

/** Bars beside each other at each place, or on top of each other; in the order of the series that are bars. */
export function computeBars(x: readonly number[], series: readonly ChartSeries[], isStacked: boolean): Map<ChartSeries, Bars> {
  const shown = series.filter(({ kind }) => kind === 'bars');
  const whole = toStep(x) * FILLED;
  const width = isStacked ? whole : whole / Math.max(1, shown.length);
  const heights = x.map(() => 0);
  return new Map(
    shown.map((one, place): [ChartSeries, Bars] => {
      const x0 = x.map((at) => at - whole / 2 + (isStacked ? 0 : place * width));
      if (!isStacked) return [one, { x0, width, from: undefined, to: one.values }];
      const from = [...heights];
      for (const [index, value] of one.values.entries()) heights[index]! += value ?? 0;
      return [one, { x0, width, from, to: one.values.map((value, index) => (value === null ? null : heights[index]!)) }];
    }),
  );
}

/** Computes the range of the y axis: all values with a margin; from zero on where there are bars or the values begin near it. */
export function yRange(series: readonly ChartSeries[], bars: ReadonlyMap<ChartSeries, Bars>): Range {
  const all = series.flatMap((one) => [
    ...(bars.get(one)?.to ?? one.values),
    ...(one.interval?.low ?? []),
    ...(one.interval?.high ?? []),
  ]);
  const { low, high } = computeEnds(all);
  if (low === undefined || high === undefined) return [0, 1];
  const isFromZero = low >= 0 && (bars.size > 0 || low < high * 0.6 || high === low);
  const air = (high - (isFromZero ? 0 : low)) * 0.08 || Math.abs(high) * 0.08 || 1;
  const bottom = isFromZero ? 0 : bars.size > 0 ? Math.min(0, low - air) : low - air;
  return [bottom, high > 0 || bars.size === 0 ? high + air : 0];
}

const DECIMALS = [1, 2, 5];
/** Distances of marks that are whole numbers, in ascending order. */
const WHOLE_STEPS = Array.from({ length: 16 }, (_, exponent) => DECIMALS.map((digit) => digit * 10 ** exponent)).flat();

/** Distances that marks of the y axis may have: whole where all values are, since nobody counts a half; undefined for any. */
export function listMarkSteps(series: readonly Pick<ChartSeries, 'values'>[]): readonly number[] | undefined {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  return known.length > 0 && known.every(Number.isInteger) ? WHOLE_STEPS : undefined;
}

/** So few places that each point of a line is drawn. */
const FEW = 45;

/** Which points of a line are drawn: all where there is room, else those without a neighbour to draw a line to. */
export function computePoints(values: Values): number[] {
  const isThere = (index: number): boolean => (values[index] ?? null) !== null;
  return [...values.keys()].filter(
    (index) => isThere(index) && (values.length <= FEW || !(isThere(index - 1) || isThere(index + 1))),
  );
}

function computeEnds(values: Values): { low?: number; high?: number } {
  let low: number | undefined;
  let high: number | undefined;
  for (const value of values) {
    if (value === null) continue;
    if (low === undefined || value < low) low = value;
    if (high === undefined || value > high) high = value;
  }
  return low === undefined || high === undefined ? {} : { low, high };
}

const HOUR_S = 3600;

/** Marks of a time axis so many seconds apart: the day where one begins, else the hour. The locale is the browser's unless given. */
export function timeMarks(seconds: readonly number[], apart: number, locale?: string): string[] {
  const hourText = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' });
  const dayText = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  return seconds.map((at) => {
    const date = new Date(at * 1000);
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
    return apart >= 24 * HOUR_S || isMidnight ? dayText.format(date) : hourText.format(date);
  });
}
