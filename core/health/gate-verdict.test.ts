import { expect, it } from 'vitest';
import { type GateQuestion, type Measured, verdictOn } from './gate-verdict.ts';
import type { HealthScoreType } from './health-type.ts';

const side = (version: number, score: number | undefined, type: HealthScoreType = 'macro_f1'): Measured => ({
  scorer_version_id: `version ${version}`,
  scorer_version_number: version,
  health_score:
    score === undefined
      ? null
      : {
          id: 'h',
          scorer_version_id: `version ${version}`,
          scorer_version_number: version,
          dataset_id: 'd',
          health_score_type: type,
          score,
          secondary: {},
          interval: null,
          baseline: null,
          confusion_table: null,
          computed_at: '2026-01-01T00:00:00.000Z',
          dataset_version_index: 1,
          run_id: 'r',
          with_overlay: false,
        },
});

function ask(
  candidate: number | undefined,
  standard: number | undefined | null,
  margin: number,
  type: HealthScoreType = 'macro_f1',
) {
  const question: GateQuestion = {
    scorer_id: 's',
    dataset_id: 'd',
    health_score_type: type,
    margin,
    candidate: side(2, candidate, type),
    default: standard === null ? null : side(1, standard, type),
  };
  const { passed, reason, shortfall } = verdictOn(question);
  return [passed, reason, shortfall];
}

it.each<[HealthScoreType, number, number, number, boolean]>([
  ['macro_f1', 0.8, 0.8, 0, true],
  ['macro_f1', 0.79, 0.8, 0, false],
  ['macro_f1', 0.75, 0.8, 0.05, true],
  ['macro_f1', 0.7, 0.8, 0.05, false],
  ['micro_f1', 0.9, 0.8, 0, true],
  ['mse', 0.02, 0.01, 0.01, true],
  ['mse', 0.03, 0.01, 0.01, false],
  ['mae', 0.5, 0.6, 0, true],
  ['mae', 0.7, 0.6, 0, false],
])('%s: %d after %d with a margin of %d: %s', (type, candidate, standard, margin, passed) => {
  expect(ask(candidate, standard, margin, type).slice(0, 2)).toEqual([passed, passed ? 'within_margin' : 'below_margin']);
});

it('measures how much worse the candidate is, whichever way is better', () => {
  expect(ask(0.7, 0.8, 0, 'macro_f1')[2]).toBeCloseTo(0.1);
  expect(ask(0.7, 0.8, 0, 'mae')[2]).toBeCloseTo(-0.1);
});

it('does not let an unmeasured candidate by, and lets a measured one by where there is nothing to fall below', () => {
  expect(ask(undefined, 0.8, 1)).toEqual([false, 'candidate_not_measured', null]);
  expect(ask(undefined, null, 1)).toEqual([false, 'candidate_not_measured', null]);
  expect(ask(0.1, undefined, 0)).toEqual([true, 'default_not_measured', null]);
  expect(ask(0.1, null, 0)).toEqual([true, 'no_default_version', null]);
});
