import { BudgetSpentError, toRefusal } from '../../integrations/provider-failure.ts';
import type { Clock } from '../../kernel/ports.ts';
import type { PriceStore } from '../prices/own-prices.ts';
import type { SpendingStore } from '../spending.ts';
import type { BudgetCheck } from './budget-check.ts';
import { type Budget, findSpentBudget, type Spent } from './spending-budget.ts';

export interface SpendingBudgetsDeps {
  readonly priceStore: Pick<PriceStore, 'findBudget'>;
  readonly spendingStore: Pick<SpendingStore, 'sumCosts'>;
  readonly clock: Clock;
}

interface Held {
  readonly budget: Budget;
  spent: Spent;
}

/** For how long a change of another instance, and what it spends, may go unseen. */
const KEPT_MS = 1_000;
const MAX_PLACES = 1_000;
/** Stands for all projects and what is outside of them. */
const ORGANIZATION = '';

/**
 * Budgets of projects and of the organisation, checked before each call of a model. What was spent is looked up once a second for each
 * and counted on in between, so that a process never goes on after its own call that spent the rest.
 */
export class SpendingBudgets implements BudgetCheck {
  readonly #deps: SpendingBudgetsDeps;
  readonly #kept = new Map<string, { readonly until: number; readonly day: string; readonly held: Promise<Held> }>();

  constructor(deps: SpendingBudgetsDeps) {
    this.#deps = deps;
  }

  /** Rejects with BudgetSpentError when nothing is left of the project's budget or the organisation's. `null`: outside of projects. */
  async requireLeft(project_id: string | null): Promise<void> {
    for (const place of placesOf(project_id)) {
      const message = await this.#findSpent(place);
      if (message !== undefined) throw new BudgetSpentError(message);
    }
  }

  async requireLeftToBegin(project_id: string | null): Promise<void> {
    await this.requireLeft(project_id).catch((error: unknown) => {
      throw error instanceof BudgetSpentError ? toRefusal(error) : error;
    });
  }

  /** Whether nothing is left of the organisation's budget. */
  async isOrganizationSpent(): Promise<boolean> {
    return (await this.#findSpent(ORGANIZATION)) !== undefined;
  }

  /** Counts on what a call cost, in US dollars, once it is in the ledger. Never rejects: the call is made and paid. */
  async note(project_id: string | null, cost: number): Promise<void> {
    for (const place of placesOf(project_id)) {
      const held = await this.#kept.get(place)?.held.catch(() => undefined);
      if (held) held.spent = { today: held.spent.today + cost, this_month: held.spent.this_month + cost };
    }
  }

  /** To be called after every change of a budget, so that it takes effect at once in this process. */
  forget(): void {
    this.#kept.clear();
  }

  async #findSpent(place: string): Promise<string | undefined> {
    const { budget, spent } = await this.#held(place);
    return findSpentBudget(budget, spent, place === ORGANIZATION ? 'the organization' : 'this project');
  }

  #held(place: string): Promise<Held> {
    const now = this.#deps.clock();
    const day = now.toISOString().slice(0, 10);
    const known = this.#kept.get(place);
    if (known && known.until > now.getTime() && known.day === day) return known.held;
    const held = this.#load(place === ORGANIZATION ? null : place, day);
    this.#kept.delete(place);
    this.#kept.set(place, { until: now.getTime() + KEPT_MS, day, held });
    if (this.#kept.size > MAX_PLACES) this.#kept.delete(this.#kept.keys().next().value!);
    held.catch(() => this.#kept.delete(place));
    return held;
  }

  async #load(project_id: string | null, day: string): Promise<Held> {
    const budget = await this.#deps.priceStore.findBudget(project_id);
    const isLimited = budget.daily !== null || budget.monthly !== null;
    const spent = isLimited ? await this.#deps.spendingStore.sumCosts(project_id, day) : { today: 0, this_month: 0 };
    return { budget, spent };
  }
}

const placesOf = (project_id: string | null): string[] => (project_id === null ? [ORGANIZATION] : [project_id, ORGANIZATION]);
