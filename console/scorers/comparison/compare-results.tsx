import type { DifferingRow, RunComparison, RunPair } from '../../../core/health/comparison/run-comparison.ts';
import { BarChoice } from '../../kit/choice.tsx';
import { numberText, probabilityText } from '../../kit/formatting.ts';
import { toHref } from '../../kit/location.ts';
import { ViewPager } from '../../kit/pager.tsx';
import { Table } from '../../kit/table.tsx';
import { TableHeaders } from '../../kit/table-headers.tsx';
import { HEALTH_WORDS, wordFor } from '../words.ts';
import {
  AGREEMENT_WORDS,
  leftOutText,
  rangeText,
  runLabel,
  scoreText,
  signedText,
  TEST_WORDS,
  VERDICT_WORDS,
} from './comparison-words.ts';

interface ComparedRunsProps {
  readonly comparison: RunComparison;
  /** Null where each pair is compared. */
  readonly baseline: number | null;
  readonly onBaseline: (place: number | null) => void;
}

/** Each run by itself, and the choice of the one that the others are held against. */
export function ComparedRuns({ comparison: { runs }, baseline, onBaseline }: ComparedRunsProps) {
  const places = runs.map((run, place) => ({ id: String(place), label: `against ${runLabel(run)}` }));
  return (
    <section aria-label="Health of the runs" class="mb-3">
      <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
        <h2 class="h6 me-auto mb-0">Health of the runs</h2>
        <BarChoice
          label="Baseline"
          choices={[...places, { id: 'all', label: 'each pair' }]}
          value={baseline === null ? 'all' : String(baseline)}
          onChoose={(place) => onBaseline(place === 'all' ? null : Number(place))}
        />
      </div>
      <Table class="table table-rows">
        <TableHeaders
          of={[
            'Run',
            'Measured by',
            { end: 'Health' },
            { end: '95 % interval' },
            { end: 'Rows' },
            { end: 'No truth' },
            { end: 'Failed' },
          ]}
        />
        <tbody>
          {runs.map((run) => (
            <tr key={`${run.run_id} ${run.scorer_id}`}>
              <th scope="row">{runLabel(run)}</th>
              <td>{wordFor(HEALTH_WORDS, run.health.health_score_type)}</td>
              <td class="text-end fw-semibold">{numberText(run.health.value)}</td>
              <td class="text-end text-nowrap">{rangeText(run.health.interval)}</td>
              <td class="text-end">{numberText(run.rows)}</td>
              <td class="text-end">{numberText(run.rows_without_truth)}</td>
              <td class="text-end">{numberText(run.failed_rows)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

interface ComparisonsProps {
  readonly comparison: RunComparison;
  readonly onRows: (pair: RunPair) => void;
}

/** Differences between the runs, and how far they may be chance. */
export function Comparisons({ comparison, onRows }: ComparisonsProps) {
  const { runs, comparisons, rows_of, agreement, lower_is_better, significance_level } = comparison;
  return (
    <section aria-label="Differences" class="mb-3">
      <h2 class="h6">Differences</h2>
      <p class="text-body-secondary mb-1">
        {AGREEMENT_WORDS[agreement]}
        {lower_is_better && ', lower is better'}. p-values are corrected for {numberText(comparisons.length)}{' '}
        {comparisons.length === 1 ? 'comparison' : 'comparisons'} by Holm's method; a run is better or worse where the corrected p
        is at most {significance_level}.
      </p>
      <Table class="table table-hover table-rows">
        <TableHeaders
          of={[
            'Run',
            'Against',
            { end: 'Common rows' },
            { end: 'Difference' },
            { end: '95 % interval' },
            { end: 'Better rows' },
            { end: 'Worse rows' },
            { end: 'p' },
            { end: 'p corrected' },
            'Verdict',
          ]}
        />
        <tbody>
          {comparisons.map((pair) => (
            <PairRow
              key={`${pair.run} ${pair.against}`}
              pair={pair}
              labels={[runLabel(runs[pair.run]!), runLabel(runs[pair.against]!)]}
              isShown={pair.run === rows_of.run && pair.against === rows_of.against}
              onShow={() => onRows(pair)}
            />
          ))}
        </tbody>
      </Table>
    </section>
  );
}

interface PairRowProps {
  readonly pair: RunPair;
  readonly labels: readonly [string, string];
  readonly isShown: boolean;
  readonly onShow: () => void;
}

const TONES: Readonly<Record<RunPair['verdict'], string>> = {
  better: 'text-success-emphasis fw-semibold',
  worse: 'text-danger-emphasis fw-semibold',
  no_difference_shown: '',
  too_few_rows: 'text-body-secondary',
};

const PairRow = ({ pair, labels, isShown, onShow }: PairRowProps) => (
  <tr class={isShown ? 'table-active' : undefined}>
    <td>
      <button
        type="button"
        class="btn btn-sm btn-link p-0 text-decoration-none text-start"
        aria-pressed={isShown}
        title="Show the rows on which the two differ"
        onClick={onShow}
      >
        {labels[0]}
      </button>
    </td>
    <td>{labels[1]}</td>
    <td class="text-end">
      {numberText(pair.rows)}
      <div class="small text-body-secondary">{leftOutText(pair)}</div>
    </td>
    <td class="text-end">{signedText(pair.difference)}</td>
    <td class="text-end text-nowrap">{rangeText(pair.interval)}</td>
    <td class="text-end">{numberText(pair.better_rows)}</td>
    <td class="text-end">{numberText(pair.worse_rows)}</td>
    <td class="text-end" title={TEST_WORDS[pair.test.method]}>
      {probabilityText(pair.test.p_value)}
    </td>
    <td class="text-end">{probabilityText(pair.adjusted_p_value)}</td>
    <td class={`text-nowrap ${TONES[pair.verdict]}`}>{VERDICT_WORDS[pair.verdict]}</td>
  </tr>
);

/** The rows on which two runs differ, with a link to what each of them judged. */
export function DifferingRows({ project_id, comparison }: { project_id: string; comparison: RunComparison }) {
  const { rows_of, runs, differing_rows } = comparison;
  const [run, against] = [runLabel(runs[rows_of.run]!), runLabel(runs[rows_of.against]!)];
  return (
    <section aria-label="Differing rows">
      <h2 class="h6">Rows on which they differ, largest difference first</h2>
      {differing_rows.length === 0 ? (
        <p class="text-body-secondary">None.</p>
      ) : (
        <Table class="table table-rows">
          <TableHeaders of={['Ground truth', run, against, { end: 'Difference' }]} />
          <tbody>
            {differing_rows.map((row) => (
              <tr key={row.row_id}>
                <td dir="auto">{scoreText(row.truth)}</td>
                <td dir="auto">
                  <Score project_id={project_id} of={row.run} />
                </td>
                <td dir="auto">
                  <Score project_id={project_id} of={row.against} />
                </td>
                <td class="text-end">{signedText(row.difference)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <ViewPager page={comparison} />
    </section>
  );
}

const Score = ({ project_id, of: { score, trace_id, record_id } }: { project_id: string; of: DifferingRow['run'] }) => (
  <a href={toHref(`/projects/${project_id}/traces/${trace_id}${record_id === trace_id ? '' : `?span=${record_id}`}`)}>
    {scoreText(score)}
  </a>
);
