import { sorted } from '../../../core/kernel/query/sort.ts';
import { sortableTime } from '../../../core/kernel/timestamp.ts';

interface Dated {
  readonly id: string;
  readonly created_at: string;
}

/** By the time of creation, ties by ascending id, as the database orders them. */
export const oldestFirst = <T extends Dated>(rows: readonly T[]): T[] =>
  sorted(rows, true, ({ created_at }) => sortableTime(created_at));
export const newestFirst = <T extends Dated>(rows: readonly T[]): T[] =>
  sorted(rows, false, ({ created_at }) => sortableTime(created_at));
