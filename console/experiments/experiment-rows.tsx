import { useEffect } from 'preact/hooks';
import type { Experiment } from '../../core/experiments/experiment.ts';
import type { PageFields } from '../../core/kernel/query/page.ts';
import { post } from '../api/client.ts';
import { clipped, durationText, valueText } from '../kit/formatting.ts';
import { toHref, useView } from '../kit/location.ts';
import { unmarked } from '../kit/markdown/unmarked.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { startIn, ViewPager } from '../kit/pager.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { payloadText } from '../records/payload-text.ts';
import type { Scores } from '../scores/score.ts';
import { ScoreChips } from '../scores/score-chip.tsx';
import { isMeasured } from './metrics.ts';
import '../styles/traces.css';
import { Table } from '../kit/table.tsx';

/** A trace of an experiment, as searches show it. */
interface RowRecord {
  readonly id: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly dataset_input: string | null;
  readonly dataset_output: string | null;
  readonly status_code: number | null;
  readonly metrics: Readonly<Record<string, unknown>> & { readonly duration_ns?: number };
  readonly metric_info: Scores;
}

const LIMIT = 50;
/** Scores arrive after the rows. */
const LOOK_EVERY_MS = 10_000;
const MOST_SCORES = 6;
const OLDEST_FIRST = { column_id: 'created_at', ascending: true };

/** Each row that an experiment went through: what was asked, answered, right, and what scorers said. */
export function ExperimentRows({ experiment: { id, project_id, status, num_traces } }: { experiment: Experiment }) {
  const progress = status.log_generation.progress_percent;
  const [view] = useView();
  const starting_token = startIn(view);
  const wanted = { experiment_id: id, sort: OLDEST_FIRST, starting_token, limit: LIMIT };
  const loaded = useLoaded(
    `rows of ${id} ${starting_token}`,
    (signal) =>
      post<PageFields & { readonly records: readonly RowRecord[] }>(`/projects/${project_id}/traces/search`, wanted, { signal }),
    { everyMs: LOOK_EVERY_MS },
  );
  // Rows are there by the time that they are counted.
  useEffect(() => loaded.reload(), [progress, num_traces, loaded.reload]);
  const isExpected = progress < 1 || (num_traces ?? 0) > 0;
  return (
    <Show loaded={loaded}>
      {(page) =>
        page.records.length === 0 ? (
          <Empty title="No rows yet">
            {isExpected ? (
              <p class="mb-0">The experiment is under way. Rows are listed here as soon as they are stored.</p>
            ) : (
              <p>
                Log one trace for each row of the dataset with this experiment's id: <code>experiment_id</code> {id}.
              </p>
            )}
          </Empty>
        ) : (
          <>
            <RowTable project_id={project_id} records={page.records} />
            <ViewPager page={page} />
          </>
        )
      }
    </Show>
  );
}

/** Scores that came with the record under a name of no metric: the caller's own judgement. */
const ownScores = ({ metrics }: RowRecord): Scores =>
  Object.fromEntries(
    Object.entries(metrics)
      .filter(([name, value]) => typeof value === 'number' && !isMeasured(name))
      .map(([name, value]) => [name, { status_type: 'success', value }]),
  );

const HEADS = ['Input', 'Output', 'Ground truth', 'Scores', { end: 'Duration' }];

const RowTable = ({ project_id, records }: { project_id: string; records: readonly RowRecord[] }) => (
  <Table class="table table-hover table-rows experiment-rows">
    <TableHeaders of={HEADS} />
    <tbody>
      {records.map((record) => (
        <tr key={record.id}>
          <td dir="auto">
            <a href={toHref(`/projects/${project_id}/traces/${record.id}`)}>
              {clipped(unmarked(payloadText(record.dataset_input ?? record.input))) || '–'}
            </a>
          </td>
          <td dir="auto">
            {record.status_code !== null && record.status_code >= 400 && (
              <span class="badge text-bg-danger me-1">{record.status_code}</span>
            )}
            {clipped(unmarked(payloadText(record.output))) || '–'}
          </td>
          <td dir="auto">{clipped(valueText(record.dataset_output))}</td>
          <td>
            <ScoreChips scores={{ ...ownScores(record), ...record.metric_info }} max={MOST_SCORES} />
          </td>
          <td class="text-end text-nowrap">{durationText(record.metrics.duration_ns)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
