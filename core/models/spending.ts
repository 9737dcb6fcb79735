import { z } from 'zod';
import { Id } from '../kernel/text.ts';
import type { Spent } from './budgets/spending-budget.ts';
import { ModelPurpose, type ModelUsage } from './model-call.ts';

/** Key by which calls are counted. */
export interface SpendingKey extends Omit<ModelUsage, 'user_id'> {
  /** Null in what was counted before payers were. */
  readonly user_id: string | null;
  readonly provider: string;
  /** As it was asked for. */
  readonly model: string;
  /** Of UTC. */
  readonly day: string;
}

export const AMOUNTS = [
  'calls',
  'failed_calls',
  'unpriced_calls',
  'cached_answers',
  'input_tokens',
  'output_tokens',
  'cost',
] as const;
export type Amount = (typeof AMOUNTS)[number];

/** Spending on one model on one day. */
export const Spending = z
  .object({
    purpose: ModelPurpose.describe('What the model was called for.'),
    user_id: z.string().nullable().describe('Whose integration was used; null where it was not recorded.'),
    run_id: z.string().nullable().describe('Null for calls outside of runs.'),
    scorer_id: z.string().nullable().describe('Null for calls that no scorer made.'),
    scorer_version_id: z.string().nullable(),
    provider: z.string(),
    model: z.string(),
    day: z.iso.date(),
    calls: z.int().describe('Made, those included that failed, were repeated, or whose end nobody saw.'),
    failed_calls: z.int(),
    unpriced_calls: z.int().describe('Answered at a price that is not known: not in `cost`.'),
    cached_answers: z.int().describe('Given without a call.'),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost: z.number().describe('US dollars.'),
  })
  .meta({ id: 'ModelSpending', description: 'What was spent on a model on one day, by purpose, payer, run and scorer version.' });
export type Spending = z.output<typeof Spending>;

export const SpendingReport = z
  .object({
    spending: z.array(Spending),
    total_cost: z.number(),
    unpriced_calls: z
      .int()
      .describe('Of all calls those whose price is not known: not in `total_cost`, which is the least that was spent.'),
  })
  .meta({ id: 'ModelSpendingReport' });
export type SpendingReport = z.output<typeof SpendingReport>;

export const SpendingDays = z.object({
  from: z.iso.date().optional().describe('The first day, UTC.'),
  until: z.iso.date().optional().describe('The last day, UTC.'),
});
export type SpendingDays = z.output<typeof SpendingDays>;

export const SpendingQuery = z.object({ run_id: Id.optional(), scorer_id: Id.optional(), ...SpendingDays.shape });
export type SpendingQuery = z.output<typeof SpendingQuery>;

/** Ledger of all calls of models. */
export interface SpendingStore {
  /** Adds to what was counted so far. */
  add(key: SpendingKey, amounts: Partial<Readonly<Record<Amount, number>>>): Promise<void>;
  /** US dollars that a scorer, in any version and whoever pays, spent in a run on one day. */
  sumCost(key: { project_id: string; run_id: string; scorer_id: string; day: string }): Promise<number>;
  /** US dollars that all calls in a project cost on the day and in its month until then. `null`: in all projects and outside of them. */
  sumCosts(project_id: string | null, day: string): Promise<Spent>;
  /** By day, newest first, then by the other parts of the key. */
  list(project_id: string, query: SpendingQuery): Promise<Spending[]>;
  /** As `list`, what a user spent outside of projects. */
  listOutsideProjects(user_id: string, query: SpendingDays): Promise<Spending[]>;
}
