/** Part of the height of all rows that is in sight, in shares of it. */
export interface Sight {
  readonly from: number;
  readonly to: number;
}

/** Share of all rows that Page Up and Page Down go by. */
const PAGE = 0.1;

/**
 * Share of the rows that is above the sight once a key of a scroll bar was pressed: arrows go by what is in sight, Page Up and Page Down
 * by a tenth of all. Undefined when the key does nothing.
 */
export function toScroll(key: string, { from, to }: Sight): number | undefined {
  const seen = to - from;
  const at = (above: number): number => Math.max(0, Math.min(1 - seen, above));
  switch (key) {
    case 'ArrowDown':
      return at(from + seen);
    case 'ArrowUp':
      return at(from - seen);
    case 'PageDown':
      return at(from + Math.max(PAGE, seen));
    case 'PageUp':
      return at(from - Math.max(PAGE, seen));
    case 'Home':
      return 0;
    case 'End':
      return at(1);
    default:
      return undefined;
  }
}

/** The first and the last of so many rows that are wholly in sight, from 0. Where none is, the one at its top. */
export function computeRowsInSight({ from, to }: Sight, count: number): { readonly first: number; readonly last: number } {
  // Shares are of pixels: what is off by less than a thousandth of a row is seen.
  const first = Math.max(0, Math.min(count - 1, Math.ceil(from * count - 1e-3)));
  return { first, last: Math.max(first, Math.min(count, Math.floor(to * count + 1e-3)) - 1) };
}
