import type { OtlpOutcome } from '../otlp-codec.ts';
import { toOutcome } from '../spans/span-refusal.ts';
import { cut } from '../storable.ts';
import type { OtlpMetricRequest } from './otlp-metric.ts';

const MAX_NAMES = 20;
const MAX_NAME = 100;

/**
 * Tells the sender that metrics are not kept, by their names. That is a warning, not a refusal: the sender has done nothing
 * wrong, and nothing that it could repeat or correct would change it. Only data points that cannot be read count as refused.
 */
export function toMetricOutcome({ metrics, malformed }: OtlpMetricRequest): OtlpOutcome {
  const points = metrics.reduce((sum, metric) => sum + metric.points, 0);
  return toOutcome(malformed, 'data point', points === 0 ? '' : `${counted(points)} of ${namesOf(metrics)} not kept: ${WHY}`);
}

const WHY = 'metrics are not stored here; tokens, costs and durations are taken from spans';

const counted = (points: number): string => (points === 1 ? '1 data point' : `${points} data points`);

function namesOf(metrics: OtlpMetricRequest['metrics']): string {
  const names = [...new Set(metrics.filter(({ points }) => points > 0).map(({ name }) => cut(name, MAX_NAME)))];
  const more = names.length > MAX_NAMES ? [`${names.length - MAX_NAMES} more`] : [];
  return [...names.slice(0, MAX_NAMES).map((name) => name || '(no name)'), ...more].join(', ');
}
