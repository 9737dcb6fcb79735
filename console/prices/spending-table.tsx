import type { Spending, SpendingReport } from '../../core/models/spending.ts';
import { get } from '../api/client.ts';
import { BarChoice } from '../kit/choice.tsx';
import { dayText, numberText } from '../kit/formatting.ts';
import { useView } from '../kit/location.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { spentText, sumByModel } from './spending.ts';

const DAY_MS = 86_400_000;
const RANGES = [
  { id: '7', label: 'Last 7 days' },
  { id: '30', label: 'Last 30 days' },
  { id: '90', label: 'Last 90 days' },
];

/** Calls, tokens and money by day, purpose and model. */
export function SpendingTable({ path }: { path: string }) {
  const [view, change] = useView();
  const days = view.get('days') ?? '30';
  const from = new Date(Date.now() - Number(days) * DAY_MS).toISOString().slice(0, 10);
  const loaded = useLoaded(`${path} ${from}`, (signal) => get<SpendingReport>(path, { query: { from }, signal }));
  return (
    <>
      <BarChoice label="Time" choices={RANGES} value={days} onChoose={(id) => change({ days: id === '30' ? undefined : id })} />
      <Show loaded={loaded}>
        {({ spending, total_cost, unpriced_calls }) =>
          spending.length === 0 ? (
            <Empty title="Nothing was spent in this time">
              <p class="mb-0">Judges, prompts that are run and generated rows are counted here.</p>
            </Empty>
          ) : (
            <>
              <p class="my-2" role="status">
                Total cost <strong>{spentText({ cost: total_cost, unpriced_calls })}</strong>
                {unpriced_calls > 0 && `, calls at an unknown price: ${numberText(unpriced_calls)}`}
              </p>
              <Rows spending={spending} />
            </>
          )
        }
      </Show>
    </>
  );
}

const HEADS = [
  ...['Day', 'Purpose', 'Model'],
  ...[
    { end: 'Calls' },
    { end: 'Failed' },
    { end: 'From cache' },
    { end: 'Input tokens' },
    { end: 'Output tokens' },
    { end: 'Cost' },
  ],
];

const Rows = ({ spending }: { spending: readonly Spending[] }) => (
  <Table class="table table-hover table-rows">
    <TableHeaders of={HEADS} />
    <tbody>
      {sumByModel(spending).map((row) => (
        <tr key={`${row.day} ${row.purpose} ${row.model}`}>
          <td>{dayText(row.day)}</td>
          <td>{row.purpose.replaceAll('_', ' ')}</td>
          <td>{row.model}</td>
          {([row.calls, row.failed_calls, row.cached_answers, row.input_tokens, row.output_tokens] as const).map((amount, at) => (
            <td class="text-end" key={at}>
              {numberText(amount)}
            </td>
          ))}
          <td class="text-end">{spentText(row)}</td>
        </tr>
      ))}
    </tbody>
  </Table>
);
