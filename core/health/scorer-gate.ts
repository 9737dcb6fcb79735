import { z } from 'zod';
import { Id } from '../kernel/text.ts';
import { HealthScoreType } from './health-type.ts';

/** How far below the health of the default version that of another may be, on a dataset, for that to become the default. */
export const NewScorerGate = z
  .object({
    dataset_id: Id,
    /** In the unit of the health score. */
    margin: z.number().min(0).max(1e15),
    /** Absent means the type that goes with the scorer's output. */
    health_score_type: HealthScoreType.nullish(),
  })
  .meta({ id: 'NewScorerGate' });
export type NewScorerGate = z.output<typeof NewScorerGate>;

export const ScorerGate = z
  .object({
    scorer_id: z.string(),
    dataset_id: z.string(),
    margin: z.number(),
    health_score_type: HealthScoreType.nullable(),
    updated_by: z.string().nullable(),
    updated_at: z.string(),
  })
  .meta({ id: 'ScorerGate' });
export type ScorerGate = z.output<typeof ScorerGate>;

/** Gates of scorers, one at most for each. */
export interface ScorerGateStore {
  /** In place of the one there may be. */
  put(gate: ScorerGate): Promise<void>;
  find(scorer_id: string): Promise<ScorerGate | undefined>;
  /** Returns whether there was one. */
  remove(scorer_id: string): Promise<boolean>;
}

/**
 * Request to check whether a version may become the default. Fields that are absent are taken from the gate of the
 * scorer. What is left out is taken from the gate of the scorer.
 */
export const GateCheck = z
  .object({
    /** The latest when neither number nor id is given. */
    version: z.int().min(1).max(2_147_483_647).nullish(),
    scorer_version_id: Id.nullish(),
    dataset_id: Id.nullish(),
    margin: NewScorerGate.shape.margin.nullish(),
    health_score_type: HealthScoreType.nullish(),
  })
  .meta({ id: 'GateCheck' });
export type GateCheck = z.output<typeof GateCheck>;
