import type { Comparison } from '../../core/experiments/comparison/comparison.ts';
import { ChangedText } from '../kit/changed-text.tsx';
import { toHref } from '../kit/location.ts';
import { ViewPager } from '../kit/pager.tsx';
import { differenceText, metricLabel, metricText } from './metrics.ts';

type Changed = Comparison['changes'][number];

interface CompareRowsProps {
  readonly project_id: string;
  readonly comparison: Comparison;
}

/** The rows in which a metric changed, most first, with both outputs beside each other. */
export function CompareRows({ project_id, comparison }: CompareRowsProps) {
  const { metric, changes, metrics } = comparison;
  if (metric === null) return <p>The experiments share no metric: enable the same scorers for both.</p>;
  const lower_is_better = metrics.find(({ name }) => name === metric)?.lower_is_better ?? false;
  return (
    <section aria-label={`Changed rows: ${metricLabel(metric)}`}>
      <h2 class="h6">Changed rows, largest change first: {metricLabel(metric)}</h2>
      {changes.length === 0 && <p class="text-body-secondary">None.</p>}
      {changes.map((row) => (
        <ChangedRow
          key={`${row.baseline.trace_id} ${row.candidate.trace_id}`}
          project_id={project_id}
          row={row}
          metric={metric}
          lower_is_better={lower_is_better}
        />
      ))}
      <ViewPager page={comparison} />
    </section>
  );
}

interface ChangedRowProps {
  readonly project_id: string;
  readonly row: Changed;
  readonly metric: string;
  readonly lower_is_better: boolean;
}

function ChangedRow({ project_id, row, metric, lower_is_better }: ChangedRowProps) {
  const { dataset_input, baseline, candidate, difference } = row;
  const isBetter = lower_is_better ? difference < 0 : difference > 0;
  const toTrace = ({ trace_id }: { readonly trace_id: string }): string => toHref(`/projects/${project_id}/traces/${trace_id}`);
  return (
    <article class="changed-row mb-3">
      <header class="d-flex gap-3 align-items-baseline mb-1">
        <strong class="me-auto text-truncate" dir="auto">
          {dataset_input ?? 'No input is known'}
        </strong>
        <a href={toTrace(baseline)}>{metricText(metric, baseline.value)}</a>
        <span aria-hidden="true">→</span>
        <a href={toTrace(candidate)}>{metricText(metric, candidate.value)}</a>
        <span class={`fw-semibold ${isBetter ? 'text-better' : 'text-worse'}`}>{differenceText(metric, difference)}</span>
      </header>
      <ChangedText before={baseline.output ?? ''} after={candidate.output ?? ''} labels={['Baseline', 'Candidate']} />
    </article>
  );
}
