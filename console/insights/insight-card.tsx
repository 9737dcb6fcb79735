import type { Insight } from '../../core/insights/insight.ts';
import { patch } from '../api/client.ts';
import { clipped, numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useAction } from '../kit/use-action.ts';

interface InsightCardProps {
  readonly insight: Insight;
  /** Of the run. */
  readonly path: string;
  readonly project_id: string;
  readonly onChanged: () => void;
}

const LOOKS: Readonly<Record<Insight['priority_category'], string>> = {
  error: 'text-bg-danger',
  warning: 'text-bg-warning',
  info: 'text-bg-secondary',
};
const KINDS: Readonly<Record<Insight['kind'], string>> = {
  error_cluster: 'Failing span',
  slow_step: 'Slow span',
  costly_step: 'Costly span',
  score_drop: 'Score drop',
  tool_loop: 'Tool loop',
};

/** Something worth a look, by which figures, what to do about it, and the records that show it. */
export function InsightCard({ insight, path, project_id, onChanged }: InsightCardProps) {
  const { id, kind, title, observation, details, suggested_action, priority_category, status } = insight;
  const settle = useAction(async () => {
    await patch(`${path}/insights/${id}`, { status: status === 'open' ? 'dismissed' : 'open' });
    onChanged();
  });
  return (
    <article class="insight card" aria-label={title}>
      <header class="d-flex gap-2 align-items-start">
        <span class={`badge ${LOOKS[priority_category]}`}>{KINDS[kind]}</span>
        <h2 class="h6 mb-0 me-auto text-break">{title}</h2>
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={settle.busy}
          aria-label={`${status === 'open' ? 'Dismiss' : 'Open again'}: ${title}`}
          onClick={() => settle.run()}
        >
          {status === 'open' ? 'Dismiss' : 'Open again'}
        </button>
      </header>
      <Failure error={settle.error} />
      <p class="mb-0">{observation}</p>
      <p class="mb-0 text-body-secondary text-break">{details}</p>
      <p class="mb-0">{suggested_action}</p>
      <Records insight={insight} project_id={project_id} />
      <footer class="small text-body-secondary">
        {numberText(insight.occurrences)} {insight.occurrences === 1 ? 'time' : 'times'}, first seen{' '}
        <Time at={insight.first_seen_at} />, last <Time at={insight.last_seen_at} />
      </footer>
    </article>
  );
}

const Records = ({ insight: { records }, project_id }: { insight: Insight; project_id: string }) => (
  <ul class="insight-records" aria-label="Records that show it">
    {records.map(({ record_id, trace_id, type, name }) => (
      <li key={record_id}>
        <a href={toHref(recordPath(project_id, trace_id, record_id))}>{clipped(name, 60) || record_id}</a>{' '}
        <span class="text-body-secondary">{type}</span>
      </li>
    ))}
  </ul>
);

const recordPath = (project_id: string, trace_id: string, record_id: string): string =>
  `/projects/${project_id}/traces/${trace_id}${record_id === trace_id ? '' : `?span=${record_id}`}`;
