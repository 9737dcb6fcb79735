import { z } from 'zod';
import type { Completion, TokenUsage } from '../../plugin-sdk/index.ts';

const perMillion = z.number().min(0).max(100_000);

/** What a model costs from one day on, in US dollars per million tokens. */
export const Price = z
  .strictObject({
    provider: z.string().min(1).describe('The id of the provider plugin.'),
    model: z.string().min(1).describe('The name of the model, without the date of its version.'),
    from: z.iso.date().describe('The first day, UTC. A day before the model was offered does no harm.'),
    until: z.iso.date().optional().describe('The first day on which the price no longer holds.'),
    input: perMillion,
    cached_input: perMillion.optional().describe('Input read from a cache; as `input` where absent.'),
    cache_write: perMillion.optional().describe('Input written to a cache; as `input` where absent.'),
    output: perMillion.describe('Output, reasoning too.'),
  })
  .meta({ id: 'ModelPrice', description: 'What a model costs from one day on.' });
export type Price = z.output<typeof Price>;

export interface PricedCall {
  readonly provider: string;
  /** As the provider answered it, or as it was asked for. */
  readonly model: string;
  /** When the call was made, as an ISO timestamp. */
  readonly at: string;
}

/** What may follow the name of a model: the date or number of a version, or `latest`. */
const VERSION = /^[-@](\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest)$/;

/** Providers whose list prices are those of the vendor of the model. */
const VENDOR: ReadonlyMap<string, string> = new Map([['azure', 'openai']]);

/** The id of a model of another vendor at the cloud model hosting: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
const HOSTED = /^(?:(?:us|eu|apac|jp|au|ca|global)\.)?(?:(anthropic)\.)?(.+?)(?:-v\d+(?::\d+)?)?$/;

/**
 * The price of a model at a time; undefined when the table does not know it. Rows of the first table with a match win, so
 * an operator's own come first. A name matches a row exactly, or with the date or number of a version behind it.
 */
export function getPrice(call: PricedCall, ...tables: readonly (readonly Price[])[]): Price | undefined {
  const day = call.at.slice(0, 10);
  const names = getNames(call);
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

/** What the provider says a call cost; else what the tables say. */
export function costOfCompletion(
  { cost, usage, model }: Completion,
  { provider, at }: Omit<PricedCall, 'model'>,
  ...tables: readonly (readonly Price[])[]
): number | null {
  return cost ?? computeUsageCost(usage, getPrice({ provider, model, at }, ...tables));
}

function getNames({ provider, model }: PricedCall): { provider: string; model: string }[] {
  const asked = { provider, model };
  const vendor = VENDOR.get(provider);
  if (vendor) return [asked, { provider: vendor, model }];
  if (provider !== 'cloud_model_hosting') return [asked];
  const [, maker, name = model] = HOSTED.exec(model) ?? [];
  return [asked, { provider: maker ?? provider, model: name }];
}

const exactly = (row: string, model: string): boolean => row === model;
const asVersion = (row: string, model: string): boolean => model.startsWith(row) && VERSION.test(model.slice(row.length));
