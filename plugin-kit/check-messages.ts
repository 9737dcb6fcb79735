/** Messages from a child that tries plugins to the process that watches it. */
export type ChildMessage =
  | { readonly kind: 'lists'; readonly lists: readonly NamedList[] }
  | { readonly kind: 'verdict'; readonly failure: string | undefined; readonly isLate: boolean }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'done' };

export interface NamedList {
  readonly title: string;
  readonly names: readonly string[];
}

/** Task of a child on its command line, as JSON. */
export interface ChildTask {
  readonly specifier: string;
  /** The number of the first check to run, counted through all lists. */
  readonly from: number;
  readonly limitMs: number;
}
