import '../styles/experiments.css';
import type { ComponentChildren } from 'preact';
import type { z } from 'zod';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { Job } from '../../core/jobs/job.ts';
import { get } from '../api/client.ts';
import { numberText, valueText } from '../kit/formatting.ts';
import { toLabel } from '../kit/label.ts';
import { toHref } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { metricLabel, metricNames, metricText } from './metrics.ts';

/** Settings and overall results of an experiment. */
export function ExperimentFacts({ experiment }: { experiment: Experiment }) {
  const { dataset, prompt, prompt_run_settings, aggregate_metrics, rank, winner } = experiment;
  const progress = experiment.status.log_generation.progress_percent;
  return (
    <>
      {progress < 1 && <Making experiment={experiment} />}
      <dl class="facts">
        {dataset && (
          <Fact label="Dataset">
            <a href={toHref(`/datasets/${dataset.dataset_id}?version=${dataset.version_index}`)}>
              {dataset.name}, version {dataset.version_index}
            </a>
          </Fact>
        )}
        {prompt && (
          <Fact label="Prompt">
            {prompt.name}, version {prompt.version_index}
          </Fact>
        )}
        {Object.entries(prompt_run_settings ?? {}).map(([name, value]) => (
          <Fact key={name} label={toLabel(name)}>
            {valueText(value)}
          </Fact>
        ))}
        {rank !== null && (
          <Fact label="Rank">
            {numberText(rank)} {winner && <span class="badge text-bg-success">Best</span>}
          </Fact>
        )}
        {metricNames([experiment]).map((name) => (
          <Fact key={name} label={metricLabel(name)}>
            <strong>{metricText(name, aggregate_metrics[name])}</strong>
          </Fact>
        ))}
      </dl>
      {prompt && (
        <details class="mb-3">
          <summary>Prompt text</summary>
          <pre class="small">{prompt.content}</pre>
        </details>
      )}
    </>
  );
}

const Fact = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const LOOK_EVERY_MS = 2000;

/** How far the service is with the rows of an experiment that it makes itself, and why it stopped. */
export function Making({ experiment: { id, project_id, status } }: { experiment: Experiment }) {
  const path = `/projects/${project_id}/runs/${id}/jobs/latest`;
  const { value: job, error } = useLoaded(path, (signal) => get<z.output<typeof Job> | null>(path, { signal }), {
    everyMs: LOOK_EVERY_MS,
  });
  if (job?.status === 'failed') return <Failure error={new Error(job.error_message ?? 'the run failed')} />;
  return (
    <div role="status" class="mb-2">
      <Failure error={error} />
      <progress class="w-100" aria-label="Rows that are done" value={status.log_generation.progress_percent} max={1} />
      {job?.progress_message}
    </div>
  );
}
