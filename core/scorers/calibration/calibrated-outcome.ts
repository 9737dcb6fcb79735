import type { ScoreOutcome } from '../../plugin-sdk/index.ts';
import { applyMapping, type ScoreMapping } from './score-mapping.ts';

/**
 * The outcome with its score, or each score of a list, mapped to the rate at which such scores are true. What is no number between 0 and 1
 * is a failure on this record: the mapping says nothing of it.
 */
export function calibratedOutcome(outcome: ScoreOutcome, mapping: ScoreMapping): ScoreOutcome {
  if (outcome.status !== 'success') return outcome;
  const { value } = outcome;
  const scores: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (scores.every(isShare)) {
    const rates = scores.map((score) => applyMapping(mapping, score));
    return { ...outcome, value: Array.isArray(value) ? rates : rates[0]! };
  }
  const { effort, printed } = outcome;
  const message = 'the scorer gave no number between 0 and 1, which is all that its calibration maps';
  return { status: 'failed', message, ...(effort && { effort }), ...(printed && { printed }) };
}

const isShare = (given: unknown): given is number => typeof given === 'number' && given >= 0 && given <= 1;
