import type { TokenPrices } from '../../models/prices/price-book.ts';
import type { DialectFields } from '../../plugin-sdk/otel/index.ts';
import { computeTokenCost } from '../../traces/ingest/computed-metrics.ts';
import { computeSpanDuration } from '../otel-time.ts';
import { type SpanMetrics, TOKEN_COUNTS } from './mapped-span.ts';
import type { SpanFields } from './span-fields.ts';

/** Undefined for a model nobody knows the prices of: then there is no cost, rather than one of 0. */
export type PricesOf = (model: string) => TokenPrices | undefined;

const COUNTS = [...TOKEN_COUNTS, 'time_to_first_token_ns'] as const satisfies readonly (keyof DialectFields &
  keyof SpanMetrics)[];

export function toMetrics(fields: SpanFields, getPrices: PricesOf): SpanMetrics {
  const counts: { -readonly [N in keyof SpanMetrics]: SpanMetrics[N] } = {};
  for (const name of COUNTS) {
    const count = fields.pick(name);
    if (count !== undefined) counts[name] = count;
  }
  const tokens = completed(counts);
  const stated = fields.pick('cost');
  const cost = isBelieved(stated, tokens) ? stated : computedCost(fields, tokens, getPrices);
  const duration_ns = computeSpanDuration(fields.span);
  return { ...(duration_ns !== undefined && { duration_ns }), ...tokens, ...(cost !== undefined && { cost }) };
}

/** A sender that does not know the price of a model says 0; only calls without tokens cost nothing. */
const isBelieved = (stated: number | undefined, { num_total_tokens = 0 }: SpanMetrics): boolean =>
  stated !== undefined && (stated > 0 || num_total_tokens === 0);

/** Cached tokens are part of the input, but some count them apart; and a total is never less than what it is made of. */
function completed(counts: SpanMetrics): SpanMetrics {
  const { num_input_tokens: input, num_output_tokens: output, num_total_tokens: total } = counts;
  const cached = (counts.num_cached_input_tokens ?? 0) + (counts.num_cache_write_input_tokens ?? 0);
  const whole = input !== undefined && cached > input ? input + cached : input;
  const sum = whole === undefined && output === undefined ? undefined : (whole ?? 0) + (output ?? 0);
  const num_total_tokens = total === undefined || sum === undefined ? (total ?? sum) : Math.max(total, sum);
  return {
    ...counts,
    ...(whole !== undefined && { num_input_tokens: whole }),
    ...(num_total_tokens !== undefined && { num_total_tokens }),
  };
}

function computedCost(fields: SpanFields, tokens: SpanMetrics, getPrices: PricesOf): number | undefined {
  if (tokens.num_input_tokens === undefined && tokens.num_output_tokens === undefined) return undefined;
  const model = fields.glance('model');
  const prices = model === undefined ? undefined : getPrices(model);
  return prices && computeSpanCost(tokens, prices);
}

export function computeSpanCost(tokens: SpanMetrics, prices: TokenPrices): number {
  const { num_input_tokens: input = 0, num_output_tokens: output = 0 } = tokens;
  const { num_cached_input_tokens: cached = 0, num_cache_write_input_tokens: written = 0 } = tokens;
  return computeTokenCost({ input, output, cached, written }, prices);
}
