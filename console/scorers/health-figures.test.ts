import { describe, expect, it } from 'vitest';
import type { HealthScore } from '../../core/health/health-score.ts';
import { computeFigures, computeShares, signed, threshold, toHealthRows, typesIn } from './health-figures.ts';

const score = (version: number, value: number, facts: Partial<HealthScore> = {}): HealthScore => ({
  id: `h${version}`,
  scorer_version_id: `v${version}`,
  scorer_version_number: version,
  dataset_id: 'd',
  health_score_type: 'macro_f1',
  score: value,
  secondary: {},
  interval: null,
  baseline: null,
  confusion_table: null,
  computed_at: '2026-01-01T00:00:00.000Z',
  dataset_version_index: 1,
  run_id: 'r',
  with_overlay: false,
  ...facts,
});

describe('health over versions', () => {
  it('is told beside the first version and beside the one before', () => {
    const rows = toHealthRows([score(1, 0.5), score(2, 0.75), score(4, 0.625)]);
    expect(rows.map(({ beside_first, beside_last }) => [beside_first, beside_last])).toEqual([
      [null, null],
      [0.25, 0.25],
      [0.125, -0.125],
    ]);
  });

  it('gets better when an error gets smaller', () => {
    const error = { health_score_type: 'mse' } as const;
    expect(toHealthRows([score(1, 0.5, error), score(2, 0.25, error)])[1]).toMatchObject({ beside_first: 0.25 });
    expect(threshold([score(1, 0.5, error)], 'v1', 0.1)).toBeCloseTo(0.6);
  });

  it('has a threshold where the default version was measured', () => {
    expect(threshold([score(1, 0.5), score(2, 0.75)], 'v2', 0.25)).toBe(0.5);
    expect(threshold([score(1, 0.5)], 'v2', 0.25)).toBeUndefined();
    expect(threshold([score(1, 0.5)], null, 0.25)).toBeUndefined();
  });

  it('is shown by the type that most versions have', () => {
    const other = score(2, 1, { health_score_type: 'mae' });
    expect(typesIn([other, score(1, 1), score(2, 1)])).toEqual(['macro_f1', 'mae']);
    expect(typesIn([])).toEqual([]);
  });
});

describe('figures', () => {
  it('are told apart from those of single classes, whose labels may hold anything', () => {
    const { whole, classes } = computeFigures({ n: 4, cohen_kappa: null, 'f1:a:b\n': 0.5, 'recall:a:b\n': 1, 'support:c': 2 });
    expect(whole).toEqual([
      ['n', 4],
      ['cohen_kappa', null],
    ]);
    expect(classes).toEqual([
      ['a:b\n', { f1: 0.5, recall: 1 }],
      ['c', { support: 2 }],
    ]);
  });

  it('of a confusion table are shares of each truth', () => {
    const table = {
      labels: ['a', 'b'],
      counts: [
        [3, 1],
        [0, 0],
      ],
      other_rows: 0,
    };
    expect(computeShares(table)).toEqual([
      [0.75, 0.25],
      [0, 0],
    ]);
  });

  it('are signed, and zero when too small to be seen', () => {
    expect([0.25, -0.25, 0.0001, null].map(signed)).toEqual(['+0.250', '−0.250', '±0', '–']);
  });
});
