import type { HealthScore } from '../../core/health/health-score.ts';
import type { HealthScoreType } from '../../core/health/health-type.ts';
import { Chart } from '../kit/chart.tsx';
import { exactText } from '../kit/formatting.ts';
import { HEALTH_WORDS } from './words.ts';

interface HealthChartProps {
  /** Of one type, by version. */
  readonly scores: readonly HealthScore[];
  readonly type: HealthScoreType;
  /** Least value that passes the gate. */
  readonly least: number | undefined;
}

/** Health with its interval over versions, beside what always saying the same would be worth. */
export function HealthChart({ scores, type, least }: HealthChartProps) {
  const toValues = (pick: (score: HealthScore) => number | undefined) => scores.map((score) => pick(score) ?? null);
  const isF1 = type === 'macro_f1' || type === 'micro_f1';
  return (
    <Chart
      label={`${HEALTH_WORDS[type]} over versions`}
      x={scores.map(({ scorer_version_number }) => scorer_version_number)}
      xText={(version) => `Version ${version}`}
      markText={(version) => `v${version}`}
      xHeading="Version"
      valueText={exactText}
      height={240}
      {...(isF1 ? { bounds: [0, 1.02] as const } : {})}
      series={[
        {
          label: HEALTH_WORDS[type],
          kind: 'line',
          values: toValues(({ score }) => score),
          interval: { low: toValues(({ interval }) => interval?.low), high: toValues(({ interval }) => interval?.high) },
        },
        { label: 'Best constant answer', kind: 'line', values: toValues(({ baseline }) => baseline?.value) },
        ...(least === undefined ? [] : [{ label: 'Gate', kind: 'line' as const, values: scores.map(() => least) }]),
      ]}
    />
  );
}
