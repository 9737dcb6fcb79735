import { expect, it } from 'vitest';
import type { ScoreOutcome } from '../../plugin-sdk/index.ts';
import { calibratedOutcome } from './calibrated-outcome.ts';

const mapping = {
  method: 'isotonic' as const,
  points: [
    { score: 0.2, rate: 0 },
    { score: 0.8, rate: 0.6 },
  ],
};
const map = (value: unknown) => calibratedOutcome({ status: 'success', value } as ScoreOutcome, mapping);

it('a score, or each of a list, is mapped to its rate', () => {
  expect(map(0.5)).toEqual({ status: 'success', value: expect.closeTo(0.3) });
  expect(map([0, 1])).toEqual({ status: 'success', value: [0, 0.6] });
  expect(calibratedOutcome({ status: 'success', value: 0 }, { method: 'platt', slope: -1, offset: 0 })).toMatchObject({
    value: 0.5,
  });
});

it.each([1.5, -0.1, Number.NaN, 'yes', true, [0.5, 2], null])('%s fails, since the mapping says nothing of it', (value) => {
  expect(map(value)).toEqual({
    status: 'failed',
    message: 'the scorer gave no number between 0 and 1, which is all that its calibration maps',
  });
});

it('what is no success stays what it is', () => {
  const failed = { status: 'failed', message: 'no' } as const;
  expect(calibratedOutcome(failed, mapping)).toBe(failed);
});
