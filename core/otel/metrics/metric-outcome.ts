import { cut } from '../storable.ts';
import { isKeptMetric } from './kept-metrics.ts';
import type { OtlpMetric, OtlpMetricRequest } from './otlp-metric.ts';

const MAX_NAMES = 20;
const MAX_NAME = 100;
const WHY = 'only metrics in the namespace gen_ai are kept, and of these no summaries';

/**
 * Names the metrics that are not kept. That is a warning, not a refusal: the sender has done nothing wrong, and nothing that it could
 * repeat or correct would change it.
 */
export function toUnkeptWarning({ resource_metrics }: OtlpMetricRequest): string {
  const metrics = resource_metrics.flatMap(({ scope_metrics }) => scope_metrics.flatMap((scope) => scope.metrics));
  const left = metrics.filter(({ name, kind, num_points }) => num_points > 0 && !isKeptMetric(name, kind));
  const points = left.reduce((sum, { num_points }) => sum + num_points, 0);
  return points === 0 ? '' : `${counted(points)} of ${namesOf(left)} not kept: ${WHY}`;
}

const counted = (points: number): string => (points === 1 ? '1 data point' : `${points} data points`);

function namesOf(metrics: readonly OtlpMetric[]): string {
  const names = [...new Set(metrics.map(({ name }) => cut(name, MAX_NAME)))];
  const more = names.length > MAX_NAMES ? [`${names.length - MAX_NAMES} more`] : [];
  return [...names.slice(0, MAX_NAMES).map((name) => name || '(no name)'), ...more].join(', ');
}
