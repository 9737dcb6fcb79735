import { describe, expect, it } from 'vitest';
import type { ComparedRun, RunPair } from '../../../core/health/comparison/run-comparison.ts';
import { leftOutText, rangeText, runLabel, signedText } from './comparison-words.ts';

describe('words of a comparison', () => {
  it('name a run by its scorer and version', () => {
    const run = { run_name: 'trial', scorer_name: 'tone', scorer_version_number: 3 } as ComparedRun;
    expect(runLabel(run)).toBe('trial · tone v3');
    expect(runLabel({ ...run, scorer_version_number: null })).toBe('trial · tone');
  });

  it('say which rows are left out', () => {
    const pair = { only_in_run: 0, only_in_against: 2, truth_differs: 1 } as RunPair;
    expect(leftOutText(pair)).toBe('2 only in the second, 1 with another ground truth');
    expect(leftOutText({ ...pair, only_in_against: 0, truth_differs: 0 })).toBe('');
  });

  it('show differences with their sign, and none as a dash', () => {
    expect([signedText(0.25), signedText(-0.25), signedText(0), signedText(null)]).toEqual(['+0.25', '−0.25', '0', '–']);
    expect(rangeText({ low: -0.1, high: 0.5 })).toBe('−0.1 to 0.5');
    expect(rangeText(null)).toBe('–');
  });
});
