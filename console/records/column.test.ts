import { describe, expect, it } from 'vitest';
import type { ColumnDescriptor } from '../../core/columns/available-columns.ts';
import { defaultColumns, shownColumn, toLabel } from './column.ts';
import type { ShownRecord } from './shown-record.ts';

const described = (one: Partial<ColumnDescriptor>): ColumnDescriptor => ({
  id: 'metrics/grounded',
  category: 'metric',
  data_type: 'floating_point',
  filter_type: 'number',
  data_unit: 'percentage',
  label: 'grounded',
  description: null,
  group_label: 'Scorers',
  multi_valued: false,
  is_empty: false,
  complex: false,
  is_optional: true,
  sortable: true,
  filterable: true,
  allowed_values: null,
  applicable_types: ['llm'],
  scorer_id: 'scorer 1',
  ...one,
});

const scored: ShownRecord = { id: '1', type: 'trace', metric_info: { grounded: { status_type: 'roll_up' } } };
const cost = described({ id: 'metrics/cost', scorer_id: null, data_unit: null, applicable_types: ['llm'] });

describe('the usual columns', () => {
  it('hold the scores that records have, before the columns are known', () => {
    expect(defaultColumns('trace', undefined, [scored])).toEqual(['name', 'input', 'output', 'metrics/grounded', 'created_at']);
  });

  it('hold enabled scorers of the level that have not said anything yet', () => {
    expect(defaultColumns('span', [described({ is_empty: true })], [])).toContain('metrics/grounded');
    expect(defaultColumns('trace', [described({})], [])).not.toContain('metrics/grounded');
  });

  it('leave out numbers that no record of the level has', () => {
    expect(defaultColumns('trace', [cost], [])).not.toContain('metrics/cost');
    expect(defaultColumns('span', [cost], [])).toContain('metrics/cost');
    expect(defaultColumns('trace', [cost], [{ id: '1', type: 'trace', metrics: { cost: 0 } }])).toContain('metrics/cost');
  });

  it('hold comments once somebody wrote one', () => {
    const columns = (num_comments: number) => defaultColumns('trace', undefined, [{ id: '1', type: 'trace', num_comments }]);
    expect([columns(0).includes('num_comments'), columns(1).includes('num_comments')]).toEqual([false, true]);
  });
});

describe('a column', () => {
  it('is a score where a scorer is behind it, sorted by at its own level only', () => {
    expect(shownColumn('metrics/grounded', 'span', [described({})], [])).toMatchObject({
      kind: 'score',
      isNumeric: true,
      isPercentage: true,
      isSortable: true,
    });
    expect(shownColumn('metrics/grounded', 'trace', [described({})], [])).toMatchObject({ kind: 'score', isSortable: false });
    expect(shownColumn('metrics/grounded', 'trace', undefined, [scored])).toMatchObject({ kind: 'score' });
  });

  it.each([
    ['metrics/duration_ns', 'duration', true],
    ['metrics/cost', 'cost', true],
    ['metrics/num_total_tokens', 'number', true],
    ['num_traces', 'number', true],
    ['created_at', 'moment', false],
    ['user_metadata/cost', 'value', false],
    ['name', 'value', false],
  ])('is known by its id: %s is a %s', (id, kind, isNumeric) => {
    expect(shownColumn(id, 'trace', undefined, [])).toMatchObject({ kind, isNumeric });
  });

  it('has a label of its id until it is described', () => {
    expect(['created_at', 'metrics/duration_ns', 'metrics/num_total_tokens'].map(toLabel)).toEqual([
      'Created at',
      'Duration',
      'Total tokens',
    ]);
  });
});
