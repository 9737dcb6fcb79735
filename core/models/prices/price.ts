import { z } from 'zod';
import { ModelPrice, type PricedName, type TokenUsage } from '../../plugin-sdk/index.ts';

/** Price of a provider's model from one day on, in US dollars per million tokens. */
export const Price = ModelPrice.extend({ provider: z.string().min(1).describe('The id of the provider plugin.') }).meta({
  id: 'ModelPrice',
  description: 'What a model costs from one day on.',
});
export type Price = z.output<typeof Price>;

/** Suffix of a model's name: the date or number of a version, or `latest`. */
const VERSION = /^[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$/;

/**
 * The price of a model, by any of its names, at a time, an ISO timestamp; undefined when no table knows it. Rows of the first table
 * with a match win, so an operator's own come first. A name matches a row exactly, or with the date or number of a version behind it.
 */
export function getPrice(names: readonly PricedName[], at: string, ...tables: readonly (readonly Price[])[]): Price | undefined {
  const day = at.slice(0, 10);
  for (const table of tables) {
    const rows = table.filter(({ from, until }) => from <= day && (until === undefined || day < until));
    for (const matches of [exactly, asVersion]) {
      const found = names.flatMap(
        (name) => rows.find((row) => row.provider === name.provider && matches(row.model, name.model)) ?? [],
      );
      if (found[0]) return found[0];
    }
  }
  return undefined;
}

/** US dollars; null when the price or a count is not known. */
export function computeUsageCost(usage: TokenUsage, price: Price | undefined): number | null {
  const { input_tokens, output_tokens, cached_tokens = 0, cache_write_tokens = 0 } = usage;
  if (!price || input_tokens === undefined || output_tokens === undefined) return null;
  const plain = Math.max(0, input_tokens - cached_tokens - cache_write_tokens);
  const cached = cached_tokens * (price.cached_input ?? price.input);
  const written = cache_write_tokens * (price.cache_write ?? price.input);
  return (plain * price.input + cached + written + output_tokens * price.output) / 1_000_000;
}

const exactly = (row: string, model: string): boolean => row === model;
const asVersion = (row: string, model: string): boolean => model.startsWith(row) && VERSION.test(model.slice(row.length));
