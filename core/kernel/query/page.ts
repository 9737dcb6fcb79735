import { z } from 'zod';
import { withDefault } from '../optional.ts';

export const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;

/** Which part of a list is wanted. `starting_token` is a zero-based offset. */
export interface PageRequest {
  readonly starting_token: number;
  readonly limit: number;
}

/** A part of a list, as stores take it; without one they return the whole list. */
export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

const startingToken = z.coerce.number().int().min(0).max(2_147_483_647);

/** Clients ask for everything by a large number, some by the largest their language has: it is lowered, not refused. */
const atMost = (most: number, size: z.ZodNumber) =>
  size
    .overwrite((given) => (Number.isInteger(given) ? Math.min(given, most) : given))
    .int()
    .min(1)
    .meta({ description: `Above ${most} it is lowered to ${most}.` });

/** A `limit` of a query string or of a part of a form; 100 when absent. */
export const limitInText = (most = MAX_LIMIT) => atMost(most, z.coerce.number()).default(DEFAULT_LIMIT);

/** A `limit` in a JSON body; 100 when absent or null. */
export const limitInBody = withDefault(atMost(MAX_LIMIT, z.number()), DEFAULT_LIMIT);

/** Paging as query parameters. */
export const PageQuery = z.object({
  starting_token: startingToken.default(0),
  limit: limitInText(),
});

/** Paging inside a body; null stands for the default there. */
export const PageBody = z.object({
  starting_token: withDefault(z.int().min(0).max(2_147_483_647), 0),
  limit: limitInBody,
});

/** The fields that every paginated reply carries. */
export const PageFields = {
  starting_token: z.int(),
  limit: z.int(),
  paginated: z.boolean(),
  next_starting_token: z.int().nullable(),
};
export type PageFields = z.output<z.ZodObject<typeof PageFields>>;

/** Slice to request from a store so that `toPage` can cut the page. */
export const sliceFor = ({ starting_token, limit: size }: PageRequest): Slice => ({ offset: starting_token, limit: size + 1 });

/**
 * Cuts a page out of up to `limit + 1` rows: stores read one row more than asked for, and the extra one only says
 * that another page exists.
 */
export function toPage<T>(rows: readonly T[], wanted: PageRequest): { items: T[]; page: PageFields } {
  const items = rows.slice(0, wanted.limit);
  return { items, page: toPageFields(items.length, rows.length > items.length, wanted) };
}

/** Of a page that holds `count` items, be they fewer than asked for: the next one begins where it ends. */
export const toPageFields = (count: number, hasMore: boolean, { starting_token, limit }: PageRequest): PageFields => ({
  starting_token,
  limit,
  paginated: hasMore,
  next_starting_token: hasMore ? starting_token + count : null,
});
