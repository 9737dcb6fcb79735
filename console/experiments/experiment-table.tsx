import type { Experiment } from '../../core/experiments/experiment.ts';
import { numberText, percentText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { SortHeader, type SortState } from '../kit/sort-header.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaderCells } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { metricLabel, metricNames, metricText } from './metrics.ts';

interface ExperimentTableProps {
  readonly experiments: readonly Experiment[];
  /** Ids, in the order in which they were chosen: the first is what the others are compared with. */
  readonly chosen: readonly string[];
  readonly onChoose: (ids: readonly string[]) => void;
  readonly sort: SortState;
  readonly onSort: (sort: SortState) => void;
}

export function ExperimentTable({ experiments, chosen, onChoose, sort, onSort }: ExperimentTableProps) {
  const metrics = metricNames(experiments);
  return (
    <Table class="table table-hover table-rows">
      <thead>
        <tr>
          <TableHeaderCells of={[{ hidden: 'Compare' }]} />
          <SortHeader name="name" label="Name" sort={sort} onSort={onSort} />
          <TableHeaderCells
            of={[{ end: 'Rank' }, 'Dataset', 'Model', { end: 'Traces' }, ...metrics.map((name) => ({ end: metricLabel(name) }))]}
          />
          <SortHeader name="created_at" label="Created" sort={sort} onSort={onSort} />
        </tr>
      </thead>
      <tbody>
        {experiments.map((one) => (
          <ExperimentRow
            key={one.id}
            experiment={one}
            metrics={metrics}
            isChosen={chosen.includes(one.id)}
            onChoose={(isChosen) => onChoose(isChosen ? [...chosen, one.id] : chosen.filter((id) => id !== one.id))}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface ExperimentRowProps {
  readonly experiment: Experiment;
  readonly metrics: readonly string[];
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}

function ExperimentRow({ experiment, metrics, isChosen, onChoose }: ExperimentRowProps) {
  const { id, project_id, name, dataset, prompt_model, num_traces, aggregate_metrics, tags, created_at } = experiment;
  const progress = experiment.status.log_generation.progress_percent;
  return (
    <tr>
      <td>
        <input
          class="form-check-input"
          type="checkbox"
          aria-label={`Compare ${name}`}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
      </td>
      <td>
        <div>
          <a href={toHref(`/projects/${project_id}/experiments/${id}`)}>{name}</a>
        </div>
        {progress < 1 && <span class="badge text-bg-secondary">{percentText(progress)} made</span>}
        <TagChips tags={tags} />
      </td>
      <td class="text-end text-nowrap">
        <Standing experiment={experiment} />
      </td>
      <td>
        {dataset && (
          <a href={toHref(`/datasets/${dataset.dataset_id}?version=${dataset.version_index}`)}>
            {dataset.name}, version {dataset.version_index}
          </a>
        )}
      </td>
      <td>{prompt_model}</td>
      <td class="text-end">{numberText(num_traces)}</td>
      {metrics.map((metric) => (
        <td class="text-end text-nowrap" key={metric}>
          {metricText(metric, aggregate_metrics[metric])}
        </td>
      ))}
      <td>
        <Time at={created_at} />
      </td>
    </tr>
  );
}

/** Among those that went through the same dataset and were judged alike. */
const Standing = ({ experiment: { rank, winner, ranking_score } }: { experiment: Experiment }) => (
  <span title={ranking_score === null ? undefined : `Ranking score ${numberText(ranking_score)}`}>
    {winner && <span class="badge text-bg-success me-1">Best</span>}
    {numberText(rank)}
  </span>
);

/** Keys and values, small. */
const TagChips = ({ tags }: { tags: Experiment['tags'] }) => (
  <>
    {Object.values(tags)
      .flat()
      .map(({ id, key, value }) => (
        <span key={id} class="badge text-bg-light border me-1 fw-normal">
          {key}: {value}
        </span>
      ))}
  </>
);
