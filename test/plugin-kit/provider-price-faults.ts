import type { ModelPrice, PriceList } from '../../core/plugin-sdk/index.ts';
import { sampleProvider } from '../../plugin-kit/templates/model_provider/index.ts';
import { type PlantedFault, type SampleCase, withHead, withPlugin } from './planted-provider.ts';

const RECKONED = 'has rows of prices that can be reckoned with';
const UNIT = 'has prices in US dollars per million tokens';
const ONE = 'has one price for each model on each day';
const UNCHANGED = 'has prices that nothing changes';
const NAMES = 'names another price the same way each time, for any model';
const ALL = 'has a price for every model that scorers are offered';

const row: ModelPrice = { model: 'sample-1', from: '2026-01-01', input: 1, output: 4 };
const list = (rows: readonly ModelPrice[], more: Partial<PriceList> = {}): PriceList => ({
  page: 'https://sample.example/prices',
  rows,
  ...more,
});
const withRow = (changed: Partial<Record<keyof ModelPrice, unknown>>): SampleCase =>
  withHead({ prices: list([{ ...row, ...changed } as ModelPrice]) });
const withList = (more: Partial<PriceList>): SampleCase => withHead({ prices: list([row], more) });

/** The sample with a list that is whole. */
export const pricedSample: SampleCase = withList({});

/** In the list prices that a provider brings along. */
export const priceFaults: readonly PlantedFault<SampleCase>[] = [
  { what: 'has a negative price', found: RECKONED, make: () => withRow({ input: -1 }) },
  { what: 'has a price that is not a number', found: RECKONED, make: () => withRow({ output: Number.NaN }) },
  { what: 'has an infinite price', found: RECKONED, make: () => withRow({ output: Number.POSITIVE_INFINITY }) },
  { what: 'has a price in words', found: RECKONED, make: () => withRow({ input: '1.00' }) },
  {
    what: 'has a field of a price that is misspelled',
    found: RECKONED,
    make: () => withHead({ prices: list([{ ...row, cachedInput: 1 } as ModelPrice]) }),
  },
  { what: 'has a day that there is none of', found: RECKONED, make: () => withRow({ from: '2026-02-30' }) },
  { what: 'has prices for one token', found: UNIT, make: () => withRow({ input: 0.000001, output: 0.000004 }) },
  { what: 'has prices for a thousand tokens', found: UNIT, make: () => withRow({ input: 0.001, output: 0.004 }) },
  { what: 'has prices in millionths of a dollar', found: UNIT, make: () => withRow({ input: 1_000, output: 4_000 }) },
  { what: 'takes more for input from a cache', found: UNIT, make: () => withRow({ cached_input: 10 }) },
  {
    what: 'has two prices on one day',
    found: ONE,
    make: () => withHead({ prices: list([row, { ...row, input: 2, from: '2026-06-01' }]) }),
  },
  { what: 'has a price that ends before it begins', found: ONE, make: () => withRow({ until: '2025-01-01' }) },
  {
    what: 'changes its prices when it is called',
    found: UNCHANGED,
    make: () => {
      const rows = [{ ...row }];
      return withPlugin(
        Object.freeze({
          ...sampleProvider,
          prices: list(rows),
          create: (...made: Parameters<typeof sampleProvider.create>) => {
            rows[0] = { ...row, input: (rows[0]?.input ?? 0) + 1 };
            return sampleProvider.create(...made);
          },
        }),
      );
    },
  },
  {
    what: 'has a list of prices that others can change',
    found: UNCHANGED,
    make: () => withPlugin(Object.freeze({ ...sampleProvider, prices: list([{ ...row }]) })),
  },
  {
    what: 'names another price each time',
    found: NAMES,
    make: () => {
      let asked = 0;
      return withList({ toPricedName: (model) => ({ provider: 'openai', model: `${model}-${asked++}` }) });
    },
  },
  {
    what: 'fails on the name of a model that it does not know',
    found: NAMES,
    make: () => withList({ toPricedName: (model) => ({ provider: 'openai', model: /^sample-(\d)$/.exec(model)![1]! }) }),
  },
  {
    what: 'names a provider by its label',
    found: NAMES,
    make: () => withList({ toPricedName: (model) => ({ provider: 'Open AI', model }) }),
  },
  { what: 'offers a model that has no price', found: ALL, make: () => withRow({ model: 'sample-2' }) },
  { what: 'has no price at all, but a list', found: ALL, make: () => withHead({ prices: list([]) }) },
  {
    what: 'says of a model with a price that it has none',
    found: ALL,
    make: () => ({ ...pricedSample, unpriced: ['sample-1'] }),
  },
];
