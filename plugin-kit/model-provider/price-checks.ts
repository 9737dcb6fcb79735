import assert from 'node:assert/strict';
import { ModelPrice, type ModelProviderPlugin, type PriceList, type z } from '../../core/plugin-sdk/index.ts';
import { type Check, check, expectSame } from '../check.ts';
import type { ModelProviderCase } from './provider-case.ts';
import type { TestProvider } from './test-provider.ts';

/** Cheaper, or dearer, is no model: whoever writes such a price has another unit in mind. US dollars per million tokens. */
const LEAST = 0.005;
const MOST = 2_000;
/** Suffix of a model's name: the date or number of a version, or `latest`. */
const VERSION = /^[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$/;
const STRANGE_NAMES = ['', ' ', 'a/b:c', 'x'.repeat(10_000), '漢字', '__proto__', '$&'];

/** Checks of the list prices of a provider; none where it has no list. */
export function priceChecks<S extends z.ZodType>(
  given: ModelProviderCase<S>,
  provider: Pick<TestProvider, 'create' | 'request'>,
): Check[] {
  const { plugin } = given;
  const { prices } = plugin;
  if (!prices) return [];
  return [
    check('has rows of prices that can be reckoned with', () => {
      const flaws = prices.rows.flatMap((row, at) =>
        (ModelPrice.safeParse(row).error?.issues ?? []).map(({ path, message }) => `row ${at}: ${path.join('.')} ${message}`),
      );
      assert.deepEqual(flaws, []);
    }),
    check('has prices in US dollars per million tokens', () => {
      for (const { model, input, output, cached_input = 0 } of prices.rows) {
        const dearest = Math.max(input, output);
        assert.ok(dearest === 0 || dearest >= LEAST, `${model} costs ${dearest}: is that for one token, or for a thousand?`);
        assert.ok(dearest <= MOST, `${model} costs ${dearest}: is that in cents, or for more tokens?`);
        assert.ok(cached_input <= input, `${model}: input from a cache costs more than other input`);
      }
    }),
    check('has one price for each model on each day', () => expectOnePrice(prices)),
    check('has prices that nothing changes', async () => {
      const before = structuredClone(prices.rows);
      const made = provider.create();
      const { signal } = new AbortController();
      await Promise.allSettled([made.complete(provider.request()), made.models(signal)]);
      expectSame(prices.rows, before);
      expectSame(plugin.prices?.rows, before);
      assert.ok(
        [prices, prices.rows, ...prices.rows].every((part) => Object.isFrozen(part)),
        'the list is to be frozen: make the plugin by the SDK',
      );
    }),
    check('names another price the same way each time, for any model', () => {
      for (const model of [...given.offered.map(({ name }) => name), ...STRANGE_NAMES]) {
        const read = () => prices.toPricedName?.(model);
        const name = read();
        expectSame(read(), name);
        if (name === undefined) continue;
        assert.ok(
          typeof name.model === 'string' && /^[a-z][a-z0-9_]*$/.test(name.provider),
          `${JSON.stringify(name)} is no name`,
        );
      }
    }),
    check('has a price for every model that scorers are offered', () => {
      const without = given.offered
        .filter(({ name, for_scorers }) => for_scorers && !isPriced(plugin, name))
        .map(({ name }) => name);
      assert.deepEqual(
        without,
        [...(given.unpriced ?? [])],
        'models without a price; "unpriced" names those that have none on purpose',
      );
    }),
  ];
}

function expectOnePrice({ rows }: PriceList): void {
  for (const [index, row] of rows.entries()) {
    assert.ok(row.until === undefined || row.from < row.until, `${row.model} ends on ${row.until}, before it begins`);
    const other = rows.slice(index + 1).find((later) => later.model === row.model && overlaps(row, later));
    assert.equal(other, undefined, `${row.model} has two prices from ${other?.from} on`);
  }
}

type Days = PriceList['rows'][number];

const overlaps = (one: Days, other: Days): boolean =>
  (one.until === undefined || other.from < one.until) && (other.until === undefined || one.from < other.until);

/** By a row of its own, or by the name that it has in the list of another provider, which the kit does not know. */
function isPriced({ id, prices }: Pick<ModelProviderPlugin, 'id' | 'prices'>, model: string): boolean {
  const other = prices?.toPricedName?.(model);
  if (other && other.provider !== id) return true;
  const names = [model, ...(other ? [other.model] : [])];
  return names.some((name) => prices?.rows.some((row) => row.model === name || isVersion(row.model, name)) === true);
}

const isVersion = (row: string, model: string): boolean => model.startsWith(row) && VERSION.test(model.slice(row.length));
