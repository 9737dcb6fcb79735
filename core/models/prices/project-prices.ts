import type { Clock } from '../../kernel/ports.ts';
import type { ModelPrice } from '../../plugin-sdk/index.ts';
import { listModelNames } from './model-names.ts';
import type { PriceStore } from './own-prices.ts';
import { getPrice, type Price } from './price.ts';
import { type PriceBook, type TokenPrices, toTokenPrices } from './price-book.ts';

export interface ProjectPricesDeps {
  readonly priceStore: PriceStore;
  readonly priceBook: Pick<PriceBook, 'perToken'>;
  readonly clock: Clock;
}

type PricesAt = (model: string, at: string) => TokenPrices | undefined;

/** For how long another instance's change of prices may go unseen. */
const KEPT_MS = 2_000;
const MAX_PROJECTS = 1_000;
const MAX_KEPT = 1_000;
/** Stands for whoever offers the model: own prices name none. */
const ANY = '';

/** Prices as they hold in a project: its own, else the organisation's, else those of the price book. A short-lived cache by project. */
export class ProjectPrices {
  readonly #deps: ProjectPricesDeps;
  readonly #kept = new Map<string, { readonly until: number; readonly prices: Promise<PricesAt> }>();

  constructor(deps: ProjectPricesDeps) {
    this.#deps = deps;
  }

  pricesFor(project_id: string): Promise<PricesAt> {
    const now = this.#deps.clock().getTime();
    const known = this.#kept.get(project_id);
    if (known && known.until > now) return known.prices;
    const prices = this.#load(project_id);
    this.#kept.delete(project_id);
    this.#kept.set(project_id, { until: now + KEPT_MS, prices });
    if (this.#kept.size > MAX_PROJECTS) this.#kept.delete(this.#kept.keys().next().value!);
    prices.catch(() => this.#kept.delete(project_id));
    return prices;
  }

  /** To be called after every change, so that it takes effect at once in this process. */
  forget(): void {
    this.#kept.clear();
  }

  async #load(project_id: string): Promise<PricesAt> {
    const { priceStore, priceBook } = this.#deps;
    const [own, common] = await Promise.all([priceStore.list(project_id), priceStore.list(null)]);
    const tables = [own, common].map(toTable);
    return remembered((model, at) => {
      const names = listModelNames(model).map((name) => ({ provider: ANY, model: name.model }));
      const price = getPrice(names, at, ...tables);
      return price ? toTokenPrices(price) : priceBook.perToken(model, at);
    });
  }
}

const toTable = (prices: readonly ModelPrice[]): Price[] => prices.map((price) => ({ ...price, provider: ANY }));

/** Names come with every call, and few of them: each is looked up once a day. */
function remembered(look: PricesAt): PricesAt {
  const known = new Map<string, TokenPrices | undefined>();
  return (model, at) => {
    const key = `${at.slice(0, 10)} ${model}`;
    if (!known.has(key)) {
      if (known.size >= MAX_KEPT) known.clear();
      known.set(key, look(model, at));
    }
    return known.get(key);
  };
}
