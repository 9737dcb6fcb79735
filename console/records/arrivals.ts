/**
 * Which records of a page were not there before. The newest come first, so what appears behind all known records of a full
 * page has only moved up in the place of deleted ones.
 */
export function findArrivals(known: ReadonlySet<string>, ids: readonly string[], isFull: boolean): string[] {
  const lastKnown = ids.findLastIndex((id) => known.has(id));
  const upTo = isFull && lastKnown >= 0 ? lastKnown : ids.length;
  return ids.slice(0, upTo).filter((id) => !known.has(id));
}
