import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** A piece of SQL with its values, which become parameters of the statement that it is made part of, never text. */
export type Fragment<T = unknown> = RawBuilder<T>;
export type Condition = Fragment<SqlBool>;

export const NOTHING: Fragment<never> = sql``;
export const TRUE: Condition = sql`true`;
export const FALSE: Condition = sql`false`;

/** Holds where all of them hold, each of which must stand for itself beside an `and`. */
export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length > 0 ? sql.join(conditions, sql` and `) : TRUE;

/** Comparisons of filters; nothing is equal to null, and every value is different from it. */
export const COMPARISONS = {
  eq: sql`=`,
  ne: sql`is distinct from`,
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
} as const;

/** Greater in an ascending order, less in a descending one. */
export const behindIn = (ascending: boolean): Fragment => COMPARISONS[ascending ? 'gt' : 'lt'];
