import type { Clock } from '../../kernel/ports.ts';
import type { Completion } from '../../plugin-sdk/index.ts';
import { costOfCompletion, getPrice, type Price, type PricedCall } from './price.ts';
import { PRICES } from './price-table.ts';

/** US dollars for one token; what is absent costs as input does. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
  readonly cache_write_input?: number;
}

const MAX_KEPT = 1_000;
const MILLION = 1_000_000;

/** What models cost: by the operator's own prices, else by list prices. */
export class PriceBook {
  readonly #tables: readonly (readonly Price[])[];
  readonly #providers: readonly string[];
  readonly #clock: Clock;
  #day = '';
  readonly #ofToday = new Map<string, TokenPrices | undefined>();

  constructor({ modelPrices, clock }: { modelPrices: readonly Price[]; clock: Clock }) {
    this.#tables = [modelPrices, PRICES];
    this.#providers = [...new Set(this.#tables.flat().map(({ provider }) => provider))];
    this.#clock = clock;
  }

  /** US dollars: what the provider says the call cost, else what its tokens cost then; null when that is not known. */
  computeCost(completion: Completion, call: Omit<PricedCall, 'model'>): number | null {
    return costOfCompletion(completion, call, ...this.#tables);
  }

  /** What a model costs today where it is not known who offers it: by the first provider with a price for that name. */
  perToken(model: string): TokenPrices | undefined {
    const now = this.#clock().toISOString();
    if (this.#day !== now.slice(0, 10) || this.#ofToday.size >= MAX_KEPT) this.#ofToday.clear();
    this.#day = now.slice(0, 10);
    if (!this.#ofToday.has(model)) this.#ofToday.set(model, this.#look(model, now));
    return this.#ofToday.get(model);
  }

  #look(model: string, at: string): TokenPrices | undefined {
    for (const table of this.#tables) {
      for (const provider of this.#providers) {
        const price = getPrice({ provider, model, at }, table);
        if (price) return perToken(price);
      }
    }
    return undefined;
  }
}

const perToken = ({ input, output, cached_input = input, cache_write = input }: Price): TokenPrices => ({
  input: input / MILLION,
  output: output / MILLION,
  cached_input: cached_input / MILLION,
  cache_write_input: cache_write / MILLION,
});
