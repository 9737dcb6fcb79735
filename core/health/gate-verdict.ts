import { z } from 'zod';
import { Probe } from './bias/probe.ts';
import { HealthScore } from './health-score.ts';
import { HealthScoreType, isLowerBetter } from './health-type.ts';

/** Two sums that should be equal may differ by what rounding leaves; nobody is refused for that. */
const TOLERANCE = 1e-9;

export const GateReason = z.enum([
  'within_margin',
  'below_margin',
  'is_default',
  'no_default_version',
  'default_not_measured',
  'candidate_not_measured',
  'audit_missing',
  'audit_outdated',
  'audit_inconclusive',
  'bias_found',
]);
export type GateReason = z.output<typeof GateReason>;

const Measured = z
  .object({ scorer_version_id: z.string(), scorer_version_number: z.int(), health_score: HealthScore.nullable() })
  .meta({ id: 'GateSide' });
export type Measured = z.output<typeof Measured>;

const GateAudit = z.object({ id: z.string(), finished_at: z.string(), found: z.array(Probe) }).meta({ id: 'GateAudit' });
export type GateAudit = z.output<typeof GateAudit>;

/** Whether a version may become the default, and what that rests on. */
export const GateVerdict = z
  .object({
    passed: z.boolean(),
    reason: GateReason,
    message: z.string(),
    scorer_id: z.string(),
    dataset_id: z.string(),
    health_score_type: HealthScoreType.nullable(),
    margin: z.number(),
    /** How much worse the candidate is than the default version, in the unit of the health score; below 0 it is better. */
    shortfall: z.number().nullable(),
    candidate: Measured,
    default: Measured.nullable(),
    audit: GateAudit.nullable().describe('The audit that counts; null where the gate needs none, or there is none.'),
  })
  .meta({ id: 'GateVerdict' });
export type GateVerdict = z.output<typeof GateVerdict>;

export type GateQuestion = Pick<
  GateVerdict,
  'scorer_id' | 'dataset_id' | 'health_score_type' | 'margin' | 'candidate' | 'default'
>;

/** A candidate that nobody has measured does not pass where the default version was: else not measuring would be the way round. */
export function verdictOn(question: GateQuestion): GateVerdict {
  const { candidate, default: standard, health_score_type, margin } = question;
  const [mine, theirs] = [candidate.health_score?.score, standard?.health_score?.score];
  const judged = (passed: boolean, reason: GateReason, message: string, shortfall: number | null = null): GateVerdict => ({
    passed,
    reason,
    message,
    ...question,
    shortfall,
    audit: null,
  });
  if (standard?.scorer_version_id === candidate.scorer_version_id) return judged(true, 'is_default', 'it is the default version');
  if (mine === undefined) return judged(false, 'candidate_not_measured', 'its health on the dataset is not known');
  if (!standard) return judged(true, 'no_default_version', 'there is no default version yet');
  if (theirs === undefined)
    return judged(true, 'default_not_measured', "the default version's health on the dataset is not known");
  const shortfall = isLowerBetter(health_score_type!) ? mine - theirs : theirs - mine;
  const passed = shortfall <= margin + TOLERANCE * Math.max(1, Math.abs(mine), Math.abs(theirs));
  const numbers = `${health_score_type} ${mine} against ${theirs}, margin ${margin}`;
  return passed ? judged(true, 'within_margin', numbers, shortfall) : judged(false, 'below_margin', numbers, shortfall);
}
