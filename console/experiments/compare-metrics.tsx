import type { Comparison } from '../../core/experiments/comparison/comparison.ts';
import type { PairedMetric } from '../../core/experiments/comparison/paired-metric.ts';
import { numberText, percentText, probabilityText } from '../kit/formatting.ts';
import { Table } from '../kit/table.tsx';
import { type TableHeader, TableHeaders } from '../kit/table-headers.tsx';
import { differenceText, isMeasured, metricLabel, metricText } from './metrics.ts';

interface CompareMetricsProps {
  readonly comparison: Comparison;
  readonly onMetric: (name: string) => void;
}

const HEADS: readonly TableHeader[] = [
  'Metric',
  { end: 'n' },
  { end: 'Baseline' },
  { end: 'Candidate' },
  { end: 'Difference' },
  'Interval',
  { end: 'Better' },
  { end: 'Worse' },
  { end: 'Equal' },
  { end: 'p' },
];

/** Each metric over the rows that have it on both sides, those first that somebody judged by. */
export function CompareMetrics({ comparison, onMetric }: CompareMetricsProps) {
  const metrics = comparison.metrics.toSorted((a, b) => Number(isMeasured(a.name)) - Number(isMeasured(b.name)));
  return (
    <section aria-label="Results" class="mb-3">
      <h2 class="h6">Results</h2>
      <p class="text-body-secondary mb-1">{joinedText(comparison)}</p>
      <Table class="table table-hover table-rows">
        <TableHeaders of={HEADS} />
        <tbody>
          {metrics.map((metric) => (
            <MetricRow
              key={metric.name}
              metric={metric}
              isShown={metric.name === comparison.metric}
              onShow={() => onMetric(metric.name)}
            />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

function joinedText({ joined_rows, only_in_baseline, only_in_candidate }: Comparison): string {
  const alone = [
    ...(only_in_baseline > 0 ? [`${numberText(only_in_baseline)} only in the baseline`] : []),
    ...(only_in_candidate > 0 ? [`${numberText(only_in_candidate)} only in the candidate`] : []),
  ];
  return [`${numberText(joined_rows)} rows in both`, ...alone].join(', ');
}

interface MetricRowProps {
  readonly metric: PairedMetric;
  readonly isShown: boolean;
  readonly onShow: () => void;
}

function MetricRow({ metric, isShown, onShow }: MetricRowProps) {
  const { name, n, baseline_mean, candidate_mean, mean_difference, interval, lower_is_better } = metric;
  const isBetter = lower_is_better ? mean_difference < 0 : mean_difference > 0;
  const tone = mean_difference === 0 ? '' : isBetter ? 'text-better' : 'text-worse';
  return (
    <tr class={isShown ? 'table-active' : undefined}>
      <td>
        <button
          type="button"
          class="btn btn-sm btn-link p-0 text-decoration-none"
          aria-pressed={isShown}
          title="Show the rows in which it changed"
          onClick={onShow}
        >
          {metricLabel(name)}
        </button>
        {lower_is_better && <span class="text-body-secondary small ms-2">lower is better</span>}
      </td>
      <td class="text-end">{numberText(n)}</td>
      <td class="text-end">{metricText(name, baseline_mean)}</td>
      <td class="text-end">{metricText(name, candidate_mean)}</td>
      <td class={`text-end fw-semibold ${tone}`}>{differenceText(name, mean_difference)}</td>
      <td>{interval && <IntervalBar name={name} difference={mean_difference} interval={interval} />}</td>
      {(['improved', 'worse', 'equal'] as const).map((what) => (
        <td class="text-end" key={what}>
          {numberText(metric[what].rows)}
        </td>
      ))}
      <td class="text-end" title={`${metric.test.method.replaceAll('_', ' ')}, statistic ${numberText(metric.test.statistic)}`}>
        {probabilityText(metric.test.p_value)}
      </td>
    </tr>
  );
}

interface IntervalBarProps {
  readonly name: string;
  readonly difference: number;
  readonly interval: NonNullable<PairedMetric['interval']>;
}

const WIDTH = 120;
const HEIGHT = 16;

/** Where the difference may well lie, about no difference in the middle; one that holds the middle may be chance. */
function IntervalBar({ name, difference, interval: { low, high, confidence } }: IntervalBarProps) {
  const reach = Math.max(Math.abs(low), Math.abs(high)) || 1;
  const at = (value: number): number => (WIDTH / 2) * (1 + (0.9 * value) / reach);
  const text = `${differenceText(name, low)} to ${differenceText(name, high)}`;
  const holdsZero = low <= 0 && high >= 0;
  return (
    <span
      class="d-inline-flex gap-2 align-items-center text-nowrap"
      title={`${percentText(confidence)} interval of the mean difference`}
    >
      <svg class={`interval ${holdsZero ? 'interval-open' : ''}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
        <line class="interval-zero" x1={WIDTH / 2} x2={WIDTH / 2} y1={0} y2={HEIGHT} />
        <line class="interval-range" x1={at(low)} x2={at(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <circle class="interval-mean" cx={at(difference)} cy={HEIGHT / 2} r={3.5} />
      </svg>
      <span class="small">{text}</span>
    </span>
  );
}
