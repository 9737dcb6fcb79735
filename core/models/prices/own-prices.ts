import { z } from 'zod';
import { AppError, type Issue } from '../../kernel/errors.ts';
import { ModelPrice } from '../../plugin-sdk/index.ts';
import type { Budget } from '../budgets/spending-budget.ts';

const MAX_PRICES = 2_000;

/** Prices of a project, or of the whole organisation, each from one day on. A project's go first, then the organisation's, then list prices. */
export const OwnPrices = z.object({ prices: z.array(ModelPrice).max(MAX_PRICES) }).meta({ id: 'ModelPrices' });
export type OwnPrices = z.output<typeof OwnPrices>;

/** The same list as a caller sends it. */
export const NewOwnPrices = z.object({ prices: z.array(ModelPrice).max(MAX_PRICES) }).meta({ id: 'NewModelPrices' });

/** Whether calls of models without a price are forbidden in the whole organisation. */
export const UnpricedModels = z
  .object({ forbidden: z.boolean().describe('Calls of models whose price is not known are refused.') })
  .meta({ id: 'UnpricedModels' });
export type UnpricedModels = z.output<typeof UnpricedModels>;

/** The same rule as a caller sends it, of the organisation or of a project. */
export const NewUnpricedModels = z.object({ forbidden: z.boolean() }).meta({ id: 'NewUnpricedModels' });

/** The same of a project. What the organisation forbids, no project allows. */
export const ProjectUnpricedModels = z
  .object({
    forbidden: z.boolean().describe('Set for the project.'),
    forbidden_by_organization: z.boolean().describe('Refused in all projects, whatever is set for this one.'),
  })
  .meta({ id: 'ProjectUnpricedModels' });
export type ProjectUnpricedModels = z.output<typeof ProjectUnpricedModels>;

/** Own prices, the rule for models that have none, and budgets. Costs that are stored stay as they are until they are recomputed. */
export interface PriceStore {
  /** In the order in which they were given; none where none were ever set. `null` is the organisation. */
  list(project_id: string | null): Promise<ModelPrice[]>;
  /** In place of all that there are. Prices of a project go with it. */
  replace(project_id: string | null, prices: readonly ModelPrice[]): Promise<void>;
  /** Whether calls of models without a price are forbidden; false where it was never set. `null` is the organisation. */
  forbidsUnpriced(project_id: string | null): Promise<boolean>;
  /** Prices stay. */
  setUnpriced(project_id: string | null, forbidden: boolean): Promise<void>;
  /** The bound of what calls may cost; any amount where it was never set. `null` is the organisation. */
  findBudget(project_id: string | null): Promise<Budget>;
  /** Prices and the rule stay. */
  setBudget(project_id: string | null, budget: Budget): Promise<void>;
}

/** Throws AppError `invalid` where a model would have two prices on one day. */
export function requireOnePriceADay(prices: readonly ModelPrice[]): void {
  const issues: Issue[] = [];
  const byModel = Map.groupBy(
    prices.map((price, index) => ({ price, index })),
    ({ price }) => price.model,
  );
  for (const own of byModel.values()) {
    const ordered = own.toSorted((a, b) => (a.price.from < b.price.from ? -1 : 1));
    for (const [at, { price, index }] of ordered.entries()) {
      const before = ordered[at - 1]?.price;
      if (before && (before.until === undefined || before.until > price.from)) issues.push(overlap(index, price));
    }
  }
  if (issues.length > 0) throw new AppError('invalid', 'prices_overlap', 'a model has two prices on one day', { issues });
}

const overlap = (index: number, { model, from }: ModelPrice): Issue => ({
  loc: ['body', 'prices', index],
  msg: `"${model}" has another price on ${from}: give that one an "until"`,
  type: 'prices_overlap',
});
