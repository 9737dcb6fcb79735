import { describe, expect, it } from 'vitest';
import { parseFileKey, toFileKey, toMergedKey } from './file-keys.ts';
import { planMerge } from './merge-plan.ts';

const DAY = { project_id: 'p', day: '2026-01-01' };
const file = (first: number, bytes = 1, last = first) => {
  const key = first === last ? toFileKey(DAY, 'records', first) : toMergedKey(DAY, { kind: 'records', first, last });
  return parseFileKey({ key, bytes })!;
};
const plan = (...files: ReturnType<typeof file>[]) => {
  const { covered, groups } = planMerge(files, { max_files: 3, max_bytes: 10 });
  const toNumbers = (some: readonly ReturnType<typeof file>[]) =>
    some.map(({ first, last }) => (first === last ? first : [first, last]));
  return { covered: toNumbers(covered), groups: groups.map(toNumbers) };
};

describe('a plan to put files together', () => {
  it('takes neighbours, in the order of their numbers, up to its bounds', () => {
    expect(plan(file(9), file(1), file(4), file(7))).toEqual({ covered: [], groups: [[1, 4, 7]] });
    expect(plan(file(1, 5), file(2, 4), file(3, 4), file(4, 1))).toEqual({
      covered: [],
      groups: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(plan(file(1))).toEqual({ covered: [], groups: [] });
    expect(plan()).toEqual({ covered: [], groups: [] });
  });

  it('leaves large files as they are, and puts none together over them', () => {
    expect(plan(file(1), file(2, 6), file(3), file(4))).toEqual({ covered: [], groups: [[3, 4]] });
    expect(plan(file(1), file(2, 6), file(3))).toEqual({ covered: [], groups: [] });
  });

  it('knows what is in a file by its name, so that no row comes in two', () => {
    expect(plan(file(1), file(2), file(1, 2, 2), file(3))).toEqual({ covered: [1, 2], groups: [[[1, 2], 3]] });
    expect(plan(file(1, 2, 2), file(1, 3, 3), file(2), file(3))).toEqual({ covered: [[1, 2], 2, 3], groups: [] });
    expect(plan(file(1, 1, 3), file(2, 1, 5), file(6), file(7))).toEqual({ covered: [], groups: [[6, 7]] });
  });

  it('reads names that an export writes, and no others', () => {
    expect(file(7, 4, 12)).toEqual({
      ...{ key: 'project=p/day=2026-01-01/records-000000000007-000000000012.parquet', bytes: 4 },
      ...{ kind: 'records', first: 7, last: 12 },
    });
    for (const name of [
      'records-1.parquet',
      'other-000000000001.parquet',
      'records-000000000001.parquet.part',
      'records.parquet',
    ])
      expect(parseFileKey({ key: `project=p/day=2026-01-01/${name}`, bytes: 1 })).toBeUndefined();
  });
});
