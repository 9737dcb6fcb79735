import type { Clock } from '../../kernel/ports.ts';
import type { Completion, ModelPrice } from '../../plugin-sdk/index.ts';
import { listModelNames } from './model-names.ts';
import type { PriceStore } from './own-prices.ts';
import { computeUsageCost, getPrice, type Price } from './price.ts';
import { type PriceBook, type TokenPrices, toTokenPrices } from './price-book.ts';

export interface ProjectPricesDeps {
  readonly priceStore: PriceStore;
  readonly priceBook: Pick<PriceBook, 'perToken' | 'find'>;
  readonly clock: Clock;
}

/** A call of a model, in a project or in none. */
export interface ProjectCall {
  readonly project_id: string | null;
  readonly provider: string;
  /** When the call was made, as an ISO timestamp. */
  readonly at: string;
}

/** Prices and rule in force in a project, or outside of projects. */
interface HeldPrices {
  readonly perToken: PricesAt;
  readonly ofCall: (provider: string, model: string, at: string) => Price | undefined;
  readonly forbidsUnpriced: boolean;
}

type PricesAt = (model: string, at: string) => TokenPrices | undefined;

/** For how long another instance's change of prices may go unseen. */
const KEPT_MS = 2_000;
const MAX_PROJECTS = 1_000;
const MAX_KEPT = 1_000;
/** Stands for whoever offers the model: own prices name none. */
const ANY = '';
/** Stands for calls outside of projects. */
const OUTSIDE = '';

/** Prices as they hold in a project: its own, else the organisation's, else those of the price book. A short-lived cache by project. */
export class ProjectPrices {
  readonly #deps: ProjectPricesDeps;
  readonly #kept = new Map<string, { readonly until: number; readonly held: Promise<HeldPrices> }>();

  constructor(deps: ProjectPricesDeps) {
    this.#deps = deps;
  }

  async pricesFor(project_id: string): Promise<PricesAt> {
    return (await this.#held(project_id)).perToken;
  }

  /** US dollars: what the provider says the call cost, else what its tokens cost then in the project; null when that is not known. */
  async computeCost({ cost, usage, model }: Completion, { project_id, provider, at }: ProjectCall): Promise<number | null> {
    return cost ?? computeUsageCost(usage, (await this.#held(project_id)).ofCall(provider, model, at));
  }

  /** Whether a model may not be called, because it has no price and such calls are forbidden. */
  async isForbidden(model: string, { project_id, provider, at }: ProjectCall): Promise<boolean> {
    const { forbidsUnpriced, ofCall } = await this.#held(project_id);
    return forbidsUnpriced && ofCall(provider, model, at) === undefined;
  }

  /** To be called after every change, so that it takes effect at once in this process. */
  forget(): void {
    this.#kept.clear();
  }

  #held(project_id: string | null): Promise<HeldPrices> {
    const now = this.#deps.clock().getTime();
    const key = project_id ?? OUTSIDE;
    const known = this.#kept.get(key);
    if (known && known.until > now) return known.held;
    const held = this.#load(project_id);
    this.#kept.delete(key);
    this.#kept.set(key, { until: now + KEPT_MS, held });
    if (this.#kept.size > MAX_PROJECTS) this.#kept.delete(this.#kept.keys().next().value!);
    held.catch(() => this.#kept.delete(key));
    return held;
  }

  async #load(project_id: string | null): Promise<HeldPrices> {
    const { priceStore, priceBook } = this.#deps;
    const places = project_id === null ? [null] : [project_id, null];
    const tables = (await Promise.all(places.map((place) => priceStore.list(place)))).map(toTable);
    const forbids = await Promise.all(places.map((place) => priceStore.forbidsUnpriced(place)));
    const own = (model: string, at: string): Price | undefined => {
      const names = listModelNames(model).map((name) => ({ provider: ANY, model: name.model }));
      return getPrice(names, at, ...tables);
    };
    return {
      perToken: remembered((model, at) => {
        const price = own(model, at);
        return price ? toTokenPrices(price) : priceBook.perToken(model, at);
      }),
      ofCall: (provider, model, at) => own(model, at) ?? priceBook.find(provider, model, at),
      forbidsUnpriced: forbids.includes(true),
    };
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
