import { useState } from 'preact/hooks';
import type { MetricBuckets } from '../../core/experiments/score-buckets.ts';
import { post } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface SpreadProps {
  readonly project_id: string;
  /** Absent: all experiments of the project. */
  readonly experiment_id?: string;
  readonly title: string;
}

/** How often scorers gave each value. Loaded once it is opened: it reads all scores. */
export function Spread({ title, ...of }: SpreadProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="mb-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Metrics {...of} />}
    </details>
  );
}

interface Found {
  readonly metrics: readonly MetricBuckets[];
}

function Metrics({ project_id, experiment_id }: Omit<SpreadProps, 'title'>) {
  const loaded = useLoaded(`spread ${project_id} ${experiment_id}`, (signal) =>
    experiment_id === undefined
      ? post<Found>(`/projects/${project_id}/experiments/metrics`, {}, { signal })
      : post<Found>(`/projects/${project_id}/experiments/${experiment_id}/metrics`, {}, { signal }),
  );
  return (
    <Show loaded={loaded}>
      {({ metrics }) =>
        metrics.length === 0 ? (
          <p class="text-body-secondary">Nothing is scored yet.</p>
        ) : (
          <div class="d-flex flex-wrap gap-4 mt-2">
            {metrics.map((metric) => (
              <Metric key={metric.name} metric={metric} />
            ))}
          </div>
        )
      }
    </Show>
  );
}

function Metric({ metric: { name, buckets, average } }: { metric: MetricBuckets }) {
  const values = Object.entries(buckets);
  const most = Math.max(1, ...values.map(([, count]) => count));
  return (
    <section aria-label={name}>
      <h3 class="h6 mb-1">
        {name} {average !== null && <span class="text-body-secondary fw-normal">mean {numberText(average)}</span>}
      </h3>
      <Table class="table table-sm mb-0 w-auto">
        <tbody>
          {values.map(([value, count]) => (
            <tr key={value}>
              <th scope="row" class="fw-normal" dir="auto">
                {value.replace('..', ' to ')}
              </th>
              <td>
                <meter min={0} max={most} value={count} aria-hidden="true" />
              </td>
              <td class="text-end">{numberText(count)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
