import { z } from 'zod';

const perMillion = z.number().min(0).max(100_000);

/** Price of a model from one day on, in US dollars per million tokens. */
export const ModelPrice = z.strictObject({
  model: z.string().min(1).describe('The name of the model, without the date of its version.'),
  from: z.iso.date().describe('The first day, UTC. A day before the model was offered does no harm.'),
  until: z.iso.date().optional().describe('The first day on which the price no longer holds.'),
  input: perMillion,
  cached_input: perMillion.optional().describe('Input read from a cache; as `input` where absent.'),
  cache_write: perMillion.optional().describe('Input written to a cache; as `input` where absent.'),
  output: perMillion.describe('Output, reasoning too.'),
});
export type ModelPrice = z.output<typeof ModelPrice>;

/** The name of a model in the price list of a provider. */
export interface PricedName {
  /** The id of the provider plugin. */
  readonly provider: string;
  readonly model: string;
}

/**
 * List prices of a provider on demand: the first tier of prompt lengths, no batch, priority or regional surcharge. A change of a price
 * is a new row, and an `until` on the old one; a model has one price on each day.
 */
export interface PriceList {
  /** Where the provider publishes its prices; where a row differs from the page, the page is right. */
  readonly page: string;
  readonly rows: readonly ModelPrice[];
  /** The name by which a model is priced that goes by another here; a row of its own name comes first. Does nothing else. */
  toPricedName?(model: string): PricedName;
}
