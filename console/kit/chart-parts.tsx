import { useState } from 'preact/hooks';
import type { ChartMark, ChartProps, ChartSeries, ColoredSeries } from './chart-model.ts';
import { colorName } from './chart-plot.ts';
import { toHref } from './location.ts';
import { TableHeaders } from './table-headers.tsx';
import { Time } from './time.tsx';

/** The place of the cursor: which one, and how far from the left of the drawing in CSS pixels. */
export interface Pointed {
  readonly index: number;
  readonly left: number;
}

const Swatch = ({ color }: { color: number }) => (
  <span class="chart-swatch" style={{ background: `var(${colorName(color)})` }} aria-hidden="true" />
);

interface LegendProps {
  readonly series: readonly ColoredSeries[];
  readonly hidden: ReadonlySet<number>;
  readonly onToggle: (color: number) => void;
}

export const ChartLegend = ({ series, hidden, onToggle }: LegendProps) => (
  <fieldset class="chart-legend" aria-label="Series">
    {series.map(({ label, color }) => (
      <button key={color} type="button" aria-pressed={!hidden.has(color)} title={label} onClick={() => onToggle(color)}>
        <Swatch color={color} />
        <span>{label}</span>
      </button>
    ))}
  </fieldset>
);

type TooltipProps = Pick<ChartProps, 'x' | 'xText' | 'valueText'> & {
  readonly pointed: Pointed;
  readonly series: readonly ColoredSeries[];
  readonly marks: readonly ChartMark[];
};

/** Marks of one place that a tooltip has room for. */
const MARKS_SHOWN = 3;

export function ChartTooltip({ pointed: { index, left }, series, x, xText, valueText, marks }: TooltipProps) {
  const at = x[index];
  if (at === undefined) return null;
  return (
    <div class="chart-tooltip" style={{ '--left': `${left}px` }}>
      <div class="fw-semibold">{xText(at)}</div>
      {series.slice(0, 12).map((one) => (
        <div key={one.color} class="d-flex gap-2 align-items-center">
          <Swatch color={one.color} />
          <span class="me-auto text-truncate">{one.label}</span>
          <span>{figureText(one, index, valueText)}</span>
        </div>
      ))}
      {marks
        .filter((mark) => mark.x === at)
        .slice(0, MARKS_SHOWN)
        .map((mark) => (
          <div key={mark.text} class="chart-tooltip-mark">
            <MarkSign isFound={mark.isFound} /> {mark.text}
          </div>
        ))}
    </div>
  );
}

const MarkSign = ({ isFound }: { isFound: boolean }) => (
  <span class={`chart-mark ${isFound ? 'found' : ''}`} aria-hidden="true" />
);

interface MarksProps {
  readonly label: string;
  readonly marks: readonly ChartMark[];
  readonly isOpen: boolean;
}

const countText = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);

/** The meaning of the lines across the drawing, for the eye, the keyboard and screen readers. */
export const ChartMarks = ({ label, marks, isOpen }: MarksProps) => (
  <details class="chart-marks" open={isOpen}>
    <summary aria-label={`${countText(marks.length)}: ${label}`}>{countText(marks.length)}</summary>
    <ul aria-label={`Changes, ${label}`}>
      {marks.map((mark) => (
        <li key={`${mark.at} ${mark.text}`}>
          <MarkSign isFound={mark.isFound} /> <Time at={mark.at} />{' '}
          {mark.path === undefined ? mark.text : <a href={toHref(mark.path)}>{mark.text}</a>}
        </li>
      ))}
    </ul>
  </details>
);

type NumbersProps = Pick<ChartProps, 'label' | 'x' | 'xText' | 'xHeading' | 'valueText' | 'series' | 'toPath'>;

/** The table is written when it is opened: a chart can have thousands of numbers. */
export function ChartNumbers(props: NumbersProps) {
  const [open, setOpen] = useState(false);
  return (
    <details class="chart-numbers" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`View as table: ${props.label}`}>View as table</summary>
      {open && <NumbersTable {...props} />}
    </details>
  );
}

const NumbersTable = ({ label, x, xText, xHeading, valueText, series, toPath }: NumbersProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="chart-table" aria-label={`${label} as table`} tabIndex={0}>
    <table class="table table-sm mb-0">
      <TableHeaders of={[xHeading, ...series.map(({ label }) => ({ end: label }))]} />
      <tbody>
        {x.map((at, index) => {
          const path = toPath?.(index);
          return (
            <tr key={at}>
              <th scope="row" class="fw-normal text-nowrap">
                {path ? <a href={toHref(path)}>{xText(at)}</a> : xText(at)}
              </th>
              {series.map((one, place) => (
                <td class="text-end text-nowrap" key={place}>
                  {figureText(one, index, valueText)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  </section>
);

function figureText({ values, interval }: ChartSeries, index: number, valueText: (value: number) => string): string {
  const text = (value: number | null | undefined): string => (value === null || value === undefined ? '–' : valueText(value));
  const low = interval?.low[index];
  if (!interval || low === null || low === undefined) return text(values[index]);
  return `${text(values[index])} (${text(low)} to ${text(interval.high[index])})`;
}
