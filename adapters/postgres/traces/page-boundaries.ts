/** The last row of a page in the default order: the page that begins with `token` continues behind it. */
export interface Boundary {
  readonly token: number;
  readonly created_at: string;
  readonly id: string;
}

/** Long enough for somebody who turns pages, too short for anybody else to meet a list of long ago. */
const KEPT_MS = 60_000;
const MAX_LISTINGS = 1_000;
const MAX_PER_LISTING = 50;

/**
 * Where pages of listings ended, for a moment: whoever asks for the next page need not have all rows before it counted
 * again. Shallow pages are not remembered, since counting is cheap there and exact.
 */
export class PageBoundaries {
  static readonly SHALLOW = 1_000;
  readonly #now: () => number;
  readonly #listings = new Map<string, Map<number, Boundary & { readonly until: number }>>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  remember(listing: string, boundary: Boundary): void {
    if (boundary.token < PageBoundaries.SHALLOW) return;
    const known = this.#listings.get(listing) ?? new Map();
    known.delete(boundary.token);
    known.set(boundary.token, { ...boundary, until: this.#now() + KEPT_MS });
    dropOldest(known, MAX_PER_LISTING);
    this.#listings.delete(listing);
    this.#listings.set(listing, known);
    dropOldest(this.#listings, MAX_LISTINGS);
  }

  /** The last boundary at or before `token`; undefined where counting from the start is as good. */
  nearest(listing: string, token: number): Boundary | undefined {
    let nearest: Boundary | undefined;
    for (const boundary of this.#listings.get(listing)?.values() ?? []) {
      const serves = boundary.until > this.#now() && boundary.token <= token;
      if (serves && boundary.token > (nearest?.token ?? 0)) nearest = boundary;
    }
    return nearest;
  }
}

const dropOldest = (map: Map<unknown, unknown>, size: number): void => {
  if (map.size > size) map.delete(map.keys().next().value);
};
