import type { Experiment } from '../../core/experiments/experiment.ts';
import { post } from '../api/client.ts';
import { metricLabel, metricNames, metricText } from '../experiments/metrics.ts';
import { toHref } from '../kit/location.ts';
import { Show, Skeleton } from '../kit/notices.tsx';
import { Time } from '../kit/time.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

const SHOWN = 5;
const METRICS = 2;

/** The newest experiments of a project, with the averages that somebody judges by. */
export function LatestExperiments({ project_id }: { project_id: string }) {
  const path = `/projects/${project_id}/experiments`;
  const wanted = { sort: { name: 'created_at', ascending: false }, limit: SHOWN };
  const loaded = useLoaded(`home ${path}`, (signal) =>
    post<{ experiments: readonly Experiment[] }>(`${path}/search`, wanted, { signal }),
  );
  return (
    <section class="home-card" aria-label="Newest experiments">
      <h2 class="home-title">Newest experiments</h2>
      <Show loaded={loaded} waiting={<Skeleton what="experiments" height="6rem" />}>
        {({ experiments }) =>
          experiments.length === 0 ? (
            <p class="mb-0">
              No experiments yet. <a href={toHref(path)}>Run a prompt over a dataset</a> to see how well it does before anybody
              uses it.
            </p>
          ) : (
            <ul class="home-list">
              {experiments.map((experiment) => (
                <li key={experiment.id}>
                  <a href={toHref(`${path}/${experiment.id}`)} dir="auto">
                    {experiment.name}
                  </a>
                  <div class="small text-body-secondary">
                    {averagesText(experiment)}
                    <Time at={experiment.created_at} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
}

const averagesText = (experiment: Experiment): string =>
  metricNames([experiment])
    .slice(0, METRICS)
    .map((name) => `${metricLabel(name)} ${metricText(name, experiment.aggregate_metrics[name])} · `)
    .join('');
