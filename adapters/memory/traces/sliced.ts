import type { Slice } from '../../../core/kernel/query/page.ts';

/** The part of a list that a store was asked for; without a slice the whole of it. */
export const sliced = <T>(rows: readonly T[], slice: Slice | undefined): T[] =>
  slice ? rows.slice(slice.offset, slice.offset + slice.limit) : [...rows];
