import { z } from 'zod';
import { Id } from '../kernel/text.ts';
import { PROBES, Probe } from './bias/probe.ts';
import { HealthScoreType } from './health-type.ts';

const max_days = z.int().min(1).max(3_650).describe('How old the audit may be.');
const probes = z.array(Probe).min(1).max(PROBES.length);

/** Request for a bias audit that a version needs before it may become the default. */
export const NewAuditTerms = z
  .object({
    max_days,
    probes: probes
      .default([...PROBES])
      .describe('Probes that it has to have, none of which may have found a bias; all unless given.'),
  })
  .meta({ id: 'NewGateAuditTerms' });

export const AuditTerms = z.object({ max_days, probes }).meta({ id: 'GateAuditTerms' });
export type AuditTerms = z.output<typeof AuditTerms>;

/** How far below the health of the default version that of another may be, on a dataset, for that to become the default. */
export const NewScorerGate = z
  .object({
    dataset_id: Id,
    /** In the unit of the health score. */
    margin: z.number().min(0).max(1e15),
    /** Absent means the type that goes with the scorer's output. */
    health_score_type: HealthScoreType.nullish(),
    audit: NewAuditTerms.nullish().describe('No audit is needed when absent.'),
  })
  .meta({ id: 'NewScorerGate' });
export type NewScorerGate = z.output<typeof NewScorerGate>;

export const ScorerGate = z
  .object({
    scorer_id: z.string(),
    dataset_id: z.string(),
    margin: z.number(),
    health_score_type: HealthScoreType.nullable(),
    audit: AuditTerms.nullable(),
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
    audit: NewAuditTerms.nullish(),
  })
  .meta({ id: 'GateCheck' });
export type GateCheck = z.output<typeof GateCheck>;
