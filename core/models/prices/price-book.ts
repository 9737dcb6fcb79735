import type { Clock } from '../../kernel/ports.ts';
import type { Completion, ModelProviderPlugin, PricedName } from '../../plugin-sdk/index.ts';
import { listModelNames } from './model-names.ts';
import { computeUsageCost, getPrice, type Price } from './price.ts';
import type { PublicPrice, PublicPrices } from './public-prices.ts';

/** US dollars for one token; what is absent costs as input does. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
  readonly cache_write_input?: number;
}

const MAX_KEPT = 1_000;
const MILLION = 1_000_000;

export interface PriceBookDeps {
  /** The operator's own. */
  readonly modelPrices: readonly Price[];
  readonly modelProviders: { list(): readonly ModelProviderPlugin[] };
  readonly clock: Clock;
  /** Prices that others keep, for whatever the installed providers do not list. */
  readonly publicPrices?: Pick<PublicPrices, 'find'>;
}

/** A call that a provider answered. */
interface PricedCall {
  readonly provider: string;
  /** When the call was made, as an ISO timestamp. */
  readonly at: string;
}

/** Prices of models: the operator's own, else the list prices of the providers that are installed. */
export class PriceBook {
  readonly #tables: readonly (readonly Price[])[];
  readonly #plugins: ReadonlyMap<string, ModelProviderPlugin>;
  readonly #providers: readonly string[];
  readonly #clock: Clock;
  readonly #publicPrices: Pick<PublicPrices, 'find'> | undefined;
  readonly #kept = new Map<string, TokenPrices | undefined>();

  constructor({ modelPrices, modelProviders, clock, publicPrices }: PriceBookDeps) {
    this.#publicPrices = publicPrices;
    const plugins = modelProviders.list();
    this.#plugins = new Map(plugins.map((plugin) => [plugin.id, plugin]));
    this.#tables = [modelPrices, plugins.flatMap(listPrices)];
    this.#providers = [...new Set(this.#tables.flat().map(({ provider }) => provider))];
    this.#clock = clock;
  }

  /** US dollars: what the provider says the call cost, else what its tokens cost then; null when that is not known. */
  computeCost({ cost, usage, model }: Completion, { provider, at }: PricedCall): number | null {
    return cost ?? computeUsageCost(usage, this.find(provider, model, at));
  }

  /** The price of a provider's model at an ISO timestamp. */
  find(provider: string, model: string, at: string): Price | undefined {
    return getPrice(this.#names(provider, model), at, ...this.#tables);
  }

  /**
   * Returns the price of a model on the day of an ISO timestamp, or today, where its provider is not known: that of the first
   * provider with a price for the name.
   */
  perToken(model: string, at = this.#clock().toISOString()): TokenPrices | undefined {
    const key = `${at.slice(0, 10)} ${model}`;
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
    if (!this.#kept.has(key)) this.#kept.set(key, this.#look(model, at));
    return this.#kept.get(key);
  }

  /** By the name as it was sent first, then without what gateways and clouds add to names; the operator's own prices before all others. */
  #look(model: string, at: string): TokenPrices | undefined {
    const names = listModelNames(model);
    for (const table of this.#tables) {
      for (const name of names) {
        for (const provider of this.#providers) {
          const price = getPrice(this.#names(provider, name.model), at, table);
          if (price) return toTokenPrices(price);
        }
      }
    }
    const price = this.#publicPrices?.find(names, at.slice(0, 10));
    return price && toTokenPrices(price);
  }

  #names(provider: string, model: string): PricedName[] {
    const other = this.#plugins.get(provider)?.prices?.toPricedName?.(model);
    return [{ provider, model }, ...(other ? [other] : [])];
  }
}

const listPrices = ({ id, prices }: ModelProviderPlugin): Price[] =>
  (prices?.rows ?? []).map((row) => ({ ...row, provider: id }));

/** A price for one token, of a price for a million. */
export const toTokenPrices = ({ input, output, cached_input = input, cache_write = input }: PublicPrice): TokenPrices => ({
  input: input / MILLION,
  output: output / MILLION,
  cached_input: cached_input / MILLION,
  cache_write_input: cache_write / MILLION,
});
