import { describe, expect, it } from 'vitest';
import { toCandidates } from './candidates.ts';

describe('runs to compare', () => {
  it('are the measured ones by version, then experiments, each once', () => {
    const scores = [
      { run_id: 'a', scorer_version_number: 1 },
      { run_id: 'b', scorer_version_number: 2 },
      { run_id: 'b', scorer_version_number: 2 },
    ];
    const experiments = [
      { id: 'c', name: 'newest' },
      { id: 'b', name: 'second' },
    ];
    expect(toCandidates(scores, experiments)).toEqual([
      { run_id: 'a', label: 'Version 1: trial' },
      { run_id: 'b', label: 'Version 2: second' },
      { run_id: 'c', label: 'newest' },
    ]);
  });
});
