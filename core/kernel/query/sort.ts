import { z } from 'zod';
import { withDefault } from '../optional.ts';

/** Order of a list. */
export interface Sort<N extends string = string> {
  readonly name: N;
  readonly ascending: boolean;
}

/** How each allowed name is sorted: by a stored column or by something computed. Clients repeat it as `sort_type`. */
export type SortTypes<N extends string> = Readonly<Record<N, 'column' | 'custom'>>;

/**
 * The `sort` field of a body. Absent or null means the order that the list has by itself; a sort that does not say by what is by
 * what the list is sorted by anyway, and upwards unless it says otherwise.
 */
export function sortBy<N extends string>(types: SortTypes<N>, byDefault: Sort<NoInfer<N>>) {
  const one = (name: N) =>
    z
      .object({
        name: name === byDefault.name ? z.literal(name).nullish() : z.literal(name),
        ascending: withDefault(z.boolean(), true),
        sort_type: z.literal(types[name]).nullish(),
      })
      .transform(({ ascending }): Sort<N> => ({ name, ascending }));
  const [first, ...others] = (Object.keys(types) as N[]).map(one);
  return withDefault(z.discriminatedUnion('name', [first!, ...others]), byDefault);
}

export type SortValue = string | number | boolean;

/** Orders rows as the database does, with ties broken by id, so that pages neither overlap nor leave gaps. */
export function sorted<T extends { readonly id: string }>(
  rows: readonly T[],
  ascending: boolean,
  read: (row: T) => SortValue,
): T[] {
  const direction = ascending ? 1 : -1;
  return [...rows].sort((a, b) => direction * compare(read(a), read(b)) || compare(a.id, b.id));
}

function compare(a: SortValue, b: SortValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  return a === b ? 0 : a < b ? -1 : 1;
}

/** By code point, as PostgreSQL orders text under `collate "C"`; `<` would compare UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const left = [...a];
  const right = [...b];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
