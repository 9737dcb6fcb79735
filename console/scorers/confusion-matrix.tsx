import type { ConfusionTable } from '../../core/health/measure.ts';
import { percentText } from '../kit/formatting.ts';
import { computeShares } from './health-figures.ts';

/** Beyond this many classes a matrix is no longer read. */
const MOST = 12;

/** How often each class was called what; the fuller a cell, the larger its share of the rows with that truth. */
export function ConfusionMatrix({ table }: { table: ConfusionTable }) {
  const labels = table.labels.slice(0, MOST);
  const shares = computeShares(table);
  const rest = table.labels.length - labels.length;
  return (
    <div>
      <table class="confusion">
        <caption class="caption-top py-0">Rows: what is right. Columns: what the scorer said.</caption>
        <thead>
          <tr>
            <td class="border-0" />
            {labels.map((label) => (
              <th scope="col" key={label}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((truth, row) => (
            <tr key={truth}>
              <th scope="row">{truth}</th>
              {labels.map((said, column) => (
                <td
                  key={said}
                  class={row === column ? 'right' : undefined}
                  style={{ backgroundColor: fill(shares[row]![column]!, row === column) }}
                  title={`${percentText(shares[row]![column])} of the rows with “${truth}”`}
                >
                  {table.counts[row]![column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p class="small">and {rest} more classes</p>}
      {table.other_rows > 0 && <p class="small">{table.other_rows} rows with rarer classes</p>}
    </div>
  );
}

/** Half at most: figures have to stay readable in both themes. */
const fill = (share: number, isRight: boolean): string =>
  `rgba(var(${isRight ? '--bs-success-rgb' : '--bs-danger-rgb'}), ${(share * 0.4).toFixed(2)})`;
