import type { ComponentChildren } from 'preact';
import type { Experiment } from '../../core/experiments/experiment.ts';
import { numberText, valueText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Making } from './making.tsx';
import { metricNames, metricText } from './metrics.ts';
import '../styles/experiments.css';

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
          <Fact key={name} label={name}>
            {valueText(value)}
          </Fact>
        ))}
        {rank !== null && (
          <Fact label="Rank">
            {numberText(rank)} {winner && <span class="badge text-bg-success">Best</span>}
          </Fact>
        )}
        {metricNames([experiment]).map((name) => (
          <Fact key={name} label={name}>
            <strong>{metricText(name, aggregate_metrics[name])}</strong>
          </Fact>
        ))}
      </dl>
      {prompt && (
        <details class="mb-3">
          <summary>Text of the prompt</summary>
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
