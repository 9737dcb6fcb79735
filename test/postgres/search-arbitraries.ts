import fc from 'fast-check';

/** Moments that differ by less than a millisecond. */
export const moment = fc.constantFrom('2026-01-01T00:00:00.120Z', '2026-01-01T00:00:00.120001Z', '2026-01-01T00:00:00.119999Z');

/** A short text of these letters. */
export const wordsFrom = (letters: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...letters), { maxLength: 3 }).map((found) => found.join(''));

/** One value or a list of them. */
export const many = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => fc.oneof(value, fc.array(value, { maxLength: 3 }));

export interface SearchParts {
  readonly filter: fc.Arbitrary<object>;
  readonly sort: fc.Arbitrary<object>;
  readonly id: fc.Arbitrary<string>;
}

/** The body of a search: filters, a tree of them, an order and a page. */
export const toSearch = ({ filter, sort, id }: SearchParts) =>
  fc.record({
    filters: fc.array(filter, { maxLength: 1 }),
    filter_tree: fc.option(computeTree(filter)),
    sort: fc.option(sort),
    starting_token: fc.constantFrom(0, 0, 0, 1, 3),
    limit: fc.constantFrom(100, 2),
    previous_last_row_id: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, id),
  });

function computeTree(filter: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.letrec<{ tree: object }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.record({ filter }),
      fc.record({ not: tie('tree') }),
      fc.record({ and: fc.array(tie('tree'), { maxLength: 2 }) }),
      fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
    ),
  })).tree;
}
