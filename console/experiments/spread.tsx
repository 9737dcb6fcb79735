import { useState } from 'preact/hooks';
import type { MetricBuckets } from '../../core/experiments/score-buckets.ts';
import { post } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface SpreadProps {
  /** Of one experiment, or of all of a project: `/projects/…/experiments/…/metrics`. */
  readonly path: string;
  readonly title: string;
}

/** How often scorers gave each value. Loaded once it is opened: it reads all scores. */
export function Spread({ path, title }: SpreadProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="mb-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Metrics path={path} />}
    </details>
  );
}

function Metrics({ path }: { path: string }) {
  const loaded = useLoaded(path, (signal) => post<{ metrics: readonly MetricBuckets[] }>(path, {}, { signal }));
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
      <table class="table table-sm mb-0 w-auto">
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
      </table>
    </section>
  );
}
