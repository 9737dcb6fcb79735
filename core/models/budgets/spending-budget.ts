import { z } from 'zod';

const MAX_DOLLARS = 1_000_000_000;
const Dollars = z.number().min(0).max(MAX_DOLLARS).nullable();

/** US dollars that calls of models may cost on one day and in one month of UTC; null: any amount. */
export const Budget = z.object({ daily: Dollars, monthly: Dollars });
export type Budget = z.output<typeof Budget>;

export const NO_BUDGET: Budget = { daily: null, monthly: null };

/** The same as a caller sends it. */
export const NewSpendingBudget = Budget.meta({ id: 'NewSpendingBudget' });

const shown = {
  daily: Dollars.describe('US dollars on one day of UTC; null: any amount.'),
  monthly: Dollars.describe('US dollars in one month of UTC; null: any amount.'),
  spent_today: z.number().describe('US dollars. Calls whose price is not known are not in it.'),
  spent_this_month: z.number().describe('US dollars, likewise.'),
};

/** Budget of the whole organisation, for all projects and outside of them, and how much of it is spent. */
export const SpendingBudget = z.object(shown).meta({ id: 'SpendingBudget' });
export type SpendingBudget = z.output<typeof SpendingBudget>;

/** The same of a project. */
export const ProjectSpendingBudget = z
  .object({
    ...shown,
    is_spent_by_organization: z.boolean().describe('No calls are made in any project, since the budget of all of them is spent.'),
  })
  .meta({ id: 'ProjectSpendingBudget' });
export type ProjectSpendingBudget = z.output<typeof ProjectSpendingBudget>;

/** US dollars that were spent. */
export interface Spent {
  readonly today: number;
  readonly this_month: number;
}

/** The sentence that says which budget is spent; undefined while something is left of each. */
export function findSpentBudget({ daily, monthly }: Budget, { today, this_month }: Spent, whose: string): string | undefined {
  if (daily !== null && today >= daily) return `the budget of ${daily} US dollars a day for ${whose} is spent`;
  if (monthly !== null && this_month >= monthly) return `the budget of ${monthly} US dollars a month for ${whose} is spent`;
  return undefined;
}
