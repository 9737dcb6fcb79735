import type { PairedMetric } from '../../core/experiments/comparison/paired-metric.ts';
import { percentText } from '../kit/formatting.ts';
import { differenceText } from './metrics.ts';

interface IntervalBarProps {
  readonly name: string;
  readonly difference: number;
  readonly interval: NonNullable<PairedMetric['interval']>;
}

const WIDTH = 120;
const HEIGHT = 16;

/** Where the difference may well lie, about no difference in the middle; one that holds the middle may be chance. */
export function IntervalBar({ name, difference, interval: { low, high, confidence } }: IntervalBarProps) {
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
