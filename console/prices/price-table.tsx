import { useState } from 'preact/hooks';
import type { OwnPrices } from '../../core/models/prices/own-prices.ts';
import type { ModelPrice } from '../../core/plugin-sdk/model-price.ts';
import { get, put } from '../api/client.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { TextField } from '../kit/field.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { costText, dayText } from '../kit/formatting.ts';
import { Empty, Show } from '../kit/notices.tsx';
import { Table } from '../kit/table.tsx';
import { TableHeaders } from '../kit/table-headers.tsx';
import { useLoaded } from '../kit/use-loaded.ts';

interface PriceTableProps {
  /** Where the prices are: a project's, or everybody's. */
  readonly path: string;
  readonly mayChange: boolean;
}

const HEADS = ['Model', 'From', 'Until', { end: 'Input' }, { end: 'Cached input' }, { end: 'Cache write' }, { end: 'Output' }];

/** Own prices of models in US dollars per million tokens: they go before the list prices of providers. */
export function PriceTable({ path, mayChange }: PriceTableProps) {
  const [isAdding, setAdding] = useState(false);
  const loaded = useLoaded(path, (signal) => get<OwnPrices>(path, { signal }));
  const save = async (prices: readonly ModelPrice[]): Promise<void> => {
    await put(path, { prices });
    loaded.reload();
  };
  return (
    <Show loaded={loaded}>
      {({ prices }) => (
        <>
          {prices.length === 0 ? (
            <Empty title="No prices of your own yet">
              <p class="mb-0">Costs are computed by the list prices of the providers. Add a price where yours differs.</p>
            </Empty>
          ) : (
            <Table class="table table-hover table-rows">
              <TableHeaders of={HEADS} actions />
              <tbody>
                {prices.map((price, at) => (
                  <PriceRow
                    key={`${price.model} ${price.from}`}
                    price={price}
                    onRemove={mayChange ? () => save(prices.toSpliced(at, 1)) : undefined}
                  />
                ))}
              </tbody>
            </Table>
          )}
          {mayChange && (
            <button type="button" class="btn btn-sm btn-primary" aria-haspopup="dialog" onClick={() => setAdding(true)}>
              Add price
            </button>
          )}
          {isAdding && (
            <FormDialog
              title="Add price"
              verb="Add"
              onClose={() => setAdding(false)}
              onSubmit={(values) => save([...prices, toPrice(values)])}
            >
              <PriceFields />
            </FormDialog>
          )}
        </>
      )}
    </Show>
  );
}

const PriceRow = ({ price, onRemove }: { price: ModelPrice; onRemove: (() => Promise<void>) | undefined }) => (
  <tr>
    <td>{price.model}</td>
    <td>{dayText(price.from)}</td>
    <td>{dayText(price.until)}</td>
    {[price.input, price.cached_input, price.cache_write, price.output].map((dollars, at) => (
      <td class="text-end" key={at}>
        {costText(dollars)}
      </td>
    ))}
    <td class="text-end">
      {onRemove && (
        <ConfirmButton
          label="Remove"
          quiet
          question={`New costs of ${price.model} will be computed without this price.`}
          onConfirm={onRemove}
        />
      )}
    </td>
  </tr>
);

const PriceFields = () => (
  <>
    <TextField label="Model" name="model" required help="Without the date of its version." />
    <div class="d-flex gap-3">
      <TextField label="From" name="from" type="date" required />
      <TextField label="Until" name="until" type="date" help="The first day without it. Empty: open." />
    </div>
    <div class="d-flex gap-3">
      <TextField label="Input" name="input" type="number" step="any" required help="US dollars per million tokens." />
      <TextField label="Output" name="output" type="number" step="any" required />
    </div>
    <div class="d-flex gap-3">
      <TextField label="Cached input" name="cached_input" type="number" step="any" help="Empty: as input." />
      <TextField label="Cache write" name="cache_write" type="number" step="any" help="Empty: as input." />
    </div>
  </>
);

function toPrice(values: FormData): ModelPrice {
  const text = (name: string): string => String(values.get(name) ?? '').trim();
  const optional = (name: 'cached_input' | 'cache_write') => (text(name) === '' ? {} : { [name]: Number(text(name)) });
  return {
    ...{ model: text('model'), from: text('from'), input: Number(text('input')), output: Number(text('output')) },
    ...(text('until') === '' ? {} : { until: text('until') }),
    ...optional('cached_input'),
    ...optional('cache_write'),
  };
}
