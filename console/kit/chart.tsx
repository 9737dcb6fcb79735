import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../shell/theme.ts';
import '../styles/chart.css';
import { type ChartMark, type ChartProps, type ColoredSeries, listMarkSteps } from './chart-model.ts';
import { ChartLegend, ChartMarks, ChartNumbers, ChartTooltip, type Pointed } from './chart-parts.tsx';
import { optionsFor, type PlotModel, toData } from './chart-plot.ts';
import { navigate } from './location.ts';

/**
 * Lines and bars over time or versions, with a legend that hides series, a tooltip, and the same numbers as a table for who
 * does not see or point. Colours follow the theme.
 */
export function Chart(props: ChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set());
  const all = props.series.map((one, color): ColoredSeries => ({ ...one, color }));
  const series = all.filter(({ color }) => !hidden.has(color));
  const toggle = (color: number): void => setHidden(hidden.symmetricDifference(new Set([color])));
  return (
    <div class="chart">
      <Plot {...props} series={series} />
      {all.length > 1 && <ChartLegend series={all} hidden={hidden} onToggle={toggle} />}
      {props.marks && props.marks.length > 0 && (
        <ChartMarks label={props.label} marks={props.marks} isOpen={props.tellsMarks ?? false} />
      )}
      <ChartNumbers {...props} />
    </div>
  );
}

const NO_MARKS: readonly ChartMark[] = [];

function Plot(props: Omit<ChartProps, 'series'> & { readonly series: readonly ColoredSeries[] }) {
  const {
    x,
    series,
    label,
    isTime = false,
    isStacked = false,
    bounds,
    height = 180,
    marks = NO_MARKS,
    xText,
    markText,
    valueText,
  } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [pointed, setPointed] = useState<Pointed>();
  const model: PlotModel = { x, series, isTime, isStacked, bounds, marks, markText: markText ?? xText, valueText };
  const newest = useRef({ model, props });
  newest.current = { model, props };

  const form = series.map(({ color, kind, interval }) => `${color}${kind}${interval ? '~' : ''}`).join();
  const look = `${form} ${listMarkSteps(series) !== undefined} ${isTime} ${isStacked} ${height} ${props.onRange !== undefined} ${theme.value}`;
  // How the plot looks is settled when it is made; data come later.
  useEffect(() => {
    const events = {
      pointed: (index: number | null, left: number) => setPointed(index === null || left < 0 ? undefined : { index, left }),
      picked: (index: number) => {
        const path = newest.current.props.toPath?.(index);
        if (path) navigate(path);
      },
      ranged: props.onRange && ((from: number, to: number) => newest.current.props.onRange?.(from, to)),
    };
    const made = new uPlot(
      optionsFor(host.current!, () => newest.current.model, events, height),
      toData(model),
      host.current!,
    );
    plot.current = made;
    const watching = new ResizeObserver(() => made.setSize({ width: host.current!.clientWidth, height }));
    watching.observe(host.current!);
    return () => {
      watching.disconnect();
      made.destroy();
    };
  }, [look]);
  useEffect(
    () => plot.current?.setData(toData(model)),
    [x, series, bounds, marks.map(({ x, isFound }) => `${x}${isFound}`).join()],
  );

  return (
    <div class={`chart-plot ${props.toPath ? 'leads' : ''}`}>
      <div ref={host} role="img" aria-label={label} style={{ height }} />
      {pointed && <ChartTooltip pointed={pointed} series={series} x={x} xText={xText} valueText={valueText} marks={marks} />}
    </div>
  );
}
