/**
 * As `map`, with a turn for others after each slice: what is made for thousands of records would else hold up the event loop.
 * Few items are mapped at once.
 */
export async function mapInSlices<T, R>(items: readonly T[], size: number, make: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    for (const item of items.slice(at, at + size)) made.push(make(item));
  }
  return made;
}
