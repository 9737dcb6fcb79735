import { z } from 'zod';
import { Id } from '../../kernel/text.ts';

/** What calls are counted by. */
export interface SpendingKey {
  readonly project_id: string;
  readonly run_id: string;
  readonly scorer_id: string;
  readonly scorer_version_id: string;
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

/** What a scorer version spent on a model on one day. */
export const Spending = z
  .object({
    run_id: z.string(),
    scorer_id: z.string(),
    scorer_version_id: z.string(),
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
  .meta({ id: 'ModelSpending', description: 'What a scorer version spent on a model on one day.' });
export type Spending = z.output<typeof Spending>;

export const SpendingReport = z
  .object({ spending: z.array(Spending), total_cost: z.number() })
  .meta({ id: 'ModelSpendingReport' });
export type SpendingReport = z.output<typeof SpendingReport>;

export const SpendingQuery = z.object({
  run_id: Id.optional(),
  scorer_id: Id.optional(),
  from: z.iso.date().optional().describe('The first day, UTC.'),
  until: z.iso.date().optional().describe('The last day, UTC.'),
});
export type SpendingQuery = z.output<typeof SpendingQuery>;

export interface SpendingStore {
  /** Adds to what was counted so far. */
  add(key: SpendingKey, amounts: Partial<Readonly<Record<Amount, number>>>): Promise<void>;
  /** US dollars that a scorer, in any version, spent in a run on one day. */
  spentOn(key: Pick<SpendingKey, 'project_id' | 'run_id' | 'scorer_id' | 'day'>): Promise<number>;
  /** By day, newest first, then by the other parts of the key. */
  list(project_id: string, query: SpendingQuery): Promise<Spending[]>;
}
