import { describe, expect, it } from 'vitest';
import { computeCounts } from './scripts/test-results.ts';

const file = (status: string, tests: readonly [string, string][], message?: string) => ({
  name: `${status}.test.ts`,
  status,
  message,
  assertionResults: tests.map(([fullName, of]) => ({
    fullName,
    status: of,
    failureMessages: of === 'failed' ? ['why\n  at'] : [],
  })),
});

describe('what came of a run', () => {
  it('is counted by test, and said by name where it was not good', () => {
    const tests: [string, string][] = [
      ['one', 'passed'],
      ['two', 'passed'],
      ['three', 'failed'],
      ['four', 'skipped'],
      ['five', 'pending'],
    ];
    const report = JSON.stringify({ testResults: [file('failed', tests)] });
    expect(computeCounts(report)).toEqual({ passed: 2, failed: [{ name: 'three', message: 'why' }], skipped: ['four', 'five'] });
  });

  it('is not good where a file could not be run, or nothing was reported', () => {
    const report = JSON.stringify({ testResults: [file('failed', [['one', 'passed']], 'no such module')] });
    expect(computeCounts(report).failed).toEqual([{ name: 'failed.test.ts', message: 'no such module' }]);
    expect(computeCounts('').failed).toHaveLength(1);
  });
});
