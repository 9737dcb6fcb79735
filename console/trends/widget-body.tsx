import type { TrendChanges } from '../../core/trends/changes/trend-change.ts';
import type { Widget } from '../../core/trends/widget.ts';
import type { WidgetData } from '../../core/trends/widget-query.ts';
import { Chart } from '../kit/chart.tsx';
import { numberText, zonedTimestampText } from '../kit/formatting.ts';
import { toHref, useView } from '../kit/location.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import type { LogStreamPath } from './address.ts';
import { toMarks } from './changes.ts';
import { hasNumbers, seriesName, seriesText } from './figures.ts';
import { recordsPath } from './records-path.ts';
import { betweenChanges } from './time-range.ts';
import { toChart } from './widget-chart.ts';

interface WidgetBodyProps {
  readonly widget: Widget;
  readonly data: WidgetData;
  readonly changes?: TrendChanges | undefined;
  readonly stream: LogStreamPath;
}

/** Content of a widget, by its type. Figures lead to their records. */
export function WidgetBody(props: WidgetBodyProps) {
  const { type } = props.data;
  if (!hasNumbers(props.data)) return <p class="no-data text-body-secondary">No data in this time</p>;
  if (type === 'number') return <NumberWidget {...props} />;
  if (type === 'table') return <TableWidget {...props} />;
  return <ChartWidget {...props} />;
}

function ChartWidget({ widget, data, changes, stream }: WidgetBodyProps) {
  const [, change] = useView();
  const { x, series, valueText, isStacked } = toChart(data);
  const points = data.series[0]!.points;
  const own = changes?.change_points.filter(({ widget_id }) => widget_id === widget.id) ?? [];
  const marks = changes && toMarks({ x, metrics: data.series.map(({ metric }) => metric) }, changes, own);
  const isSingle = new Set(data.series.map(({ index }) => index)).size === 1 && data.series.length === 1;
  const toPath = (index: number): string | undefined => {
    const point = points[index];
    return point && recordsPath(stream, widget, { ...point, series: isSingle ? data.series[0] : undefined });
  };
  return (
    <Chart
      label={widget.name}
      xHeading="From"
      x={x}
      xText={(at) => zonedTimestampText(new Date(at * 1000).toISOString())}
      isTime
      isStacked={isStacked}
      series={series}
      valueText={valueText}
      marks={marks}
      toPath={toPath}
      onRange={(from, to) => change(betweenChanges(new Date(from * 1000), new Date(to * 1000)))}
    />
  );
}

const NumberWidget = ({ widget, data, stream }: WidgetBodyProps) => (
  <div class="figures">
    {data.series.map((one) => (
      <a
        key={`${one.index} ${one.group}`}
        class="figure-link"
        href={toHref(recordsPath(stream, widget, { ...data, series: one }))}
      >
        <span class="figure-value">{seriesText(one)(one.value)}</span>
        {data.series.length > 1 && <span class="small text-body-secondary">{seriesName(data, one)}</span>}
      </a>
    ))}
  </div>
);

const TableWidget = ({ widget, data, stream }: WidgetBodyProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
  <section class="widget-table" aria-label={`Figures of ${widget.name}`} tabIndex={0}>
    <Table class="table table-rows mb-0">
      <TableHeaders of={['Series', { end: widget.aggregation }, { end: 'Count' }]} />
      <tbody>
        {data.series.map((one) => (
          <tr key={`${one.index} ${one.group}`}>
            <th scope="row" class="fw-normal text-break">
              <a href={toHref(recordsPath(stream, widget, { ...data, series: one }))}>{seriesName(data, one)}</a>
            </th>
            <td class="text-end">{seriesText(one)(one.value)}</td>
            <td class="text-end">{numberText(one.count)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  </section>
);
