import type { HealthScore } from '../../core/health/health-score.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { exactText, numberText, valueText } from '../kit/formatting.ts';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { Time } from '../kit/time.tsx';
import { type Row, signed } from './health-figures.ts';

interface HealthTableProps {
  readonly rows: readonly Row[];
  readonly scorer: Scorer;
  readonly picked: HealthScore;
  readonly onPick: (version: number) => void;
}

/** The numbers behind the chart; the first version is the baseline. */
export const HealthTable = ({ rows, scorer, picked, onPick }: HealthTableProps) => (
  <Table class="table table-rows align-middle mt-3">
    <TableHeaders
      of={[
        'Version',
        { end: 'Health' },
        { end: '95 % interval' },
        { end: 'To the first' },
        { end: 'To the one before' },
        'Best constant answer',
        { end: 'Rows' },
        'Measured',
      ]}
    />
    <tbody>
      {rows.map((row) => (
        <tr key={row.score.id} class={row.score.id === picked.id ? 'table-active' : undefined}>
          <td class="text-nowrap">
            <button
              type="button"
              class="btn btn-link btn-sm p-0 text-decoration-none text-nowrap"
              aria-pressed={row.score.id === picked.id}
              onClick={() => onPick(row.score.scorer_version_number)}
            >
              Version {row.score.scorer_version_number}
            </button>
            {row.score.scorer_version_id === scorer.default_version_id && <span class="badge text-bg-success ms-2">default</span>}
            {row.score.with_overlay && (
              <span class="badge text-bg-secondary ms-2" title="Ground truth that is not in the dataset took part">
                overlay
              </span>
            )}
          </td>
          <td class="text-end fw-semibold">{exactText(row.score.score)}</td>
          <td class="text-end text-nowrap">{intervalText(row.score)}</td>
          <td class={`text-end ${getTone(row.beside_first)}`}>{signed(row.beside_first)}</td>
          <td class={`text-end ${getTone(row.beside_last)}`}>{signed(row.beside_last)}</td>
          <td>{baselineText(row.score)}</td>
          <td class="text-end">{numberText(row.score.secondary.n)}</td>
          <td>
            <Time at={row.score.computed_at} />
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);

const getTone = (value: number | null): string => {
  if (value === null || signed(value) === '±0') return '';
  return value > 0 ? 'text-success-emphasis' : 'text-danger-emphasis';
};

const intervalText = ({ interval }: HealthScore): string =>
  interval ? `${exactText(interval.low)} to ${exactText(interval.high)}` : '–';

const baselineText = ({ baseline }: HealthScore): string =>
  baseline ? `${exactText(baseline.value)} by “${valueText(baseline.prediction)}”` : '–';
