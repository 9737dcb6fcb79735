import { describe, expect, it } from 'vitest';
import { listShownScores, ownScores, type Scores } from './score.ts';

const scores: Scores = {
  polite: { status_type: 'success', value: true },
  below: { status_type: 'roll_up', roll_up_metrics: { average: 0.5 } },
  later: { status_type: 'not_computed' },
  elsewhere: { status_type: 'not_applicable' },
  broken: { status_type: 'failed' },
};

describe('the scores of a record', () => {
  it('are its own without what was rolled up from below', () => {
    expect(Object.keys(ownScores(scores))).toEqual(['polite', 'later', 'elsewhere', 'broken']);
  });

  it('are told unless they were not computed or do not apply', () => {
    expect(listShownScores(scores).map(([name]) => name)).toEqual(['polite', 'below', 'broken']);
  });
});
