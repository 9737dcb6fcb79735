import uPlot from 'uplot';
import {
  type Bars,
  type ChartMark,
  type ColoredSeries,
  computeBars,
  computePoints,
  listMarkSteps,
  type Range,
  timeMarks,
  toStep,
  xRange,
  yRange,
} from './chart-model.ts';

/** Input of a plot. */
export interface PlotModel {
  readonly x: readonly number[];
  readonly series: readonly ColoredSeries[];
  readonly isTime: boolean;
  readonly isStacked: boolean;
  readonly bounds: Range | undefined;
  readonly marks: readonly ChartMark[];
  readonly markText: (x: number) => string;
  readonly valueText: (value: number) => string;
}

/** Events of a plot. Places are counted from 0. */
export interface PlotEvents {
  pointed(index: number | null, left: number): void;
  picked(index: number): void;
  /** Undefined: no range can be chosen. */
  readonly ranged: ((from: number, to: number) => void) | undefined;
}

const COLORS = 8;
const MARK_PX = 64;

/** The custom property with the colour of a series; beyond the eighth they come again, as dashes. */
export const colorName = (color: number): string => `--ts-chart-${(color % COLORS) + 1}`;

export const toData = ({ x, series }: PlotModel): uPlot.AlignedData => [
  [...x],
  ...series.flatMap(({ values, interval }) => (interval ? [[...values], [...interval.low], [...interval.high]] : [[...values]])),
];

/** Options of a plot in `host`, whose colours are those of its theme now. `model` is asked at each drawing. */
export function optionsFor(host: HTMLElement, model: () => PlotModel, events: PlotEvents, height: number): uPlot.Options {
  const style = getComputedStyle(host);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const { series, bands } = seriesFor(model, color);
  const steps = listMarkSteps(model().series);
  const axis = { stroke: color('--bs-secondary-color'), font: '12px system-ui', ticks: { show: false } };
  const grid = { stroke: color('--ts-chart-grid'), width: 1 };
  return {
    width: host.clientWidth,
    height,
    legend: { show: false },
    // Half of the longest mark of time stands beside the last place.
    padding: [8, 24, 0, 0],
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: events.ranged !== undefined, y: false, setScale: false, dist: 6 },
    },
    scales: {
      x: { time: model().isTime, range: () => [...xRange(model().x)] },
      y: { range: () => [...computeRange(model())] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: MARK_PX, size: 28, ...marksFor(model) },
      {
        ...axis,
        grid,
        size: (_, texts) => computeWidth(texts),
        values: (_, splits) => splits.map(model().valueText),
        ...(steps && { incrs: [...steps] }),
      },
    ],
    series,
    bands,
    hooks: {
      setCursor: [({ cursor }) => events.pointed(cursor.idx ?? null, cursor.left ?? 0)],
      setSelect: [(plot) => chooseRange(plot, events)],
      draw: [
        (plot) => drawLoneIntervals(plot, model(), color),
        (plot) => drawMarks(plot, model().marks, color('--bs-body-color')),
      ],
      ready: [(plot) => plot.over.addEventListener('click', () => pick(plot, events))],
    },
  };
}

/** As wide as the longest mark, about, and never so narrow that charts above each other begin apart. */
const computeWidth = (texts: readonly string[] | null): number =>
  Math.max(48, 16 + 6.5 * Math.max(0, ...(texts ?? []).map(({ length }) => length)));

const computeRange = ({ x, series, isStacked, bounds }: PlotModel): Range =>
  bounds ?? yRange(series, computeBars(x, series, isStacked));

function marksFor(model: () => PlotModel): Pick<uPlot.Axis, 'values' | 'splits'> {
  if (model().isTime) return { values: (_plot, splits, _axis, _space, apart) => timeMarks(splits, apart) };
  return {
    splits: (plot) => thinned(model().x, Math.max(1, Math.floor(plot.width / MARK_PX))),
    values: (_, splits) => splits.map(model().markText),
  };
}

function thinned(x: readonly number[], most: number): number[] {
  const every = Math.ceil(x.length / most);
  return x.filter((_, index) => index % every === 0);
}

function seriesFor(model: () => PlotModel, color: (name: string) => string): { series: uPlot.Series[]; bands: uPlot.Band[] } {
  const series: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  for (const [index, one] of model().series.entries()) {
    const stroke = color(colorName(one.color));
    series.push(one.kind === 'bars' ? barSeries(model, index, stroke) : lineSeries(model, index, stroke));
    if (!one.interval) continue;
    bands.push({ series: [series.length + 1, series.length], fill: `${stroke}33` });
    series.push(EDGE, EDGE);
  }
  return { series, bands };
}

const EDGE: uPlot.Series = { stroke: 'transparent', width: 1, points: { show: false } };

function lineSeries(model: () => PlotModel, index: number, stroke: string): uPlot.Series {
  const own = (): ColoredSeries => model().series[index]!;
  return {
    stroke,
    width: 1.75,
    points: { size: 5, fill: stroke, show: true, filter: () => computePoints(own().values) },
    ...(own().color >= COLORS ? { dash: [6, 4] } : {}),
  };
}

function barSeries(model: () => PlotModel, index: number, stroke: string): uPlot.Series {
  const bars = (): Bars => {
    const { x, series, isStacked } = model();
    return computeBars(x, series, isStacked).get(series[index]!)!;
  };
  const facet = (values: () => (number | null)[]): uPlot.Series.BarsPathBuilderFacet => ({ unit: 1, values });
  const edges = model().isStacked ? { y0: facet(() => [...bars().from!]), y1: facet(() => [...bars().to]) } : {};
  const disp = { x0: facet(() => [...bars().x0]), size: facet(() => [bars().width]), ...edges };
  return { stroke, fill: stroke, width: 0, points: { show: false }, paths: uPlot.paths.bars!({ disp }) };
}

/** A band needs two neighbours; an interval that has none is drawn as a line between its ends. */
function drawLoneIntervals(plot: uPlot, { x, series }: PlotModel, color: (name: string) => string): void {
  for (const one of series) {
    const ends = x.map((_, index) => ({ low: one.interval?.low[index] ?? null, high: one.interval?.high[index] ?? null }));
    plot.ctx.strokeStyle = color(colorName(one.color));
    plot.ctx.lineWidth = devicePixelRatio * 1.5;
    for (const [index, { low, high }] of ends.entries()) {
      const isAlone = [index - 1, index + 1].every((beside) => (ends[beside]?.low ?? null) === null);
      if (low === null || high === null || !isAlone) continue;
      const left = plot.valToPos(x[index]!, 'x', true);
      plot.ctx.beginPath();
      plot.ctx.moveTo(left, plot.valToPos(low, 'y', true));
      plot.ctx.lineTo(left, plot.valToPos(high, 'y', true));
      plot.ctx.stroke();
    }
  }
}

/** Dashes for what is known, a whole line for what was found. Marks beyond the ends of the axis are not drawn. */
function drawMarks({ ctx, bbox, scales, valToPos }: uPlot, marks: readonly ChartMark[], color: string): void {
  const { min = 0, max = 0 } = scales.x ?? {};
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio * 1.5;
  for (const { x, isFound } of marks.filter((mark) => mark.x >= (min ?? 0) && mark.x <= (max ?? 0))) {
    ctx.setLineDash(isFound ? [] : [4 * devicePixelRatio, 3 * devicePixelRatio]);
    const left = valToPos(x, 'x', true);
    ctx.beginPath();
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function pick({ cursor }: uPlot, events: PlotEvents): void {
  if (cursor.idx !== null && cursor.idx !== undefined) events.picked(cursor.idx);
}

function chooseRange(plot: uPlot, events: PlotEvents): void {
  const { left, width } = plot.select;
  if (width === 0) return;
  const half = toStep(plot.data[0] as number[]) / 2;
  events.ranged?.(plot.posToVal(left, 'x') + half, plot.posToVal(left + width, 'x') + half);
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
}
