/** Most keys stand in no list, which is told by a first look that takes nothing apart. */
const HAS_NUMBER = /\.\d/;
const NUMBERED = /^(.*?)\.(\d{1,4})\.(.+)$/s;

/** The items of one list that was sent as `<prefix>.<number>.<rest>`: by number, what stands under each `rest`. */
export type FlatList<T> = readonly ReadonlyMap<string, T>[];

/**
 * Takes lists apart that were flattened into keys. Returns them by prefix; their items are in the order of their
 * numbers, which need not be complete. Keys of maps only: a key part such as `__proto__` does no harm.
 */
export function flatLists<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, FlatList<T>> {
  const lists = new Map<string, Map<number, Map<string, T>>>();
  for (const [key, value] of entries) {
    const [, prefix, number, rest] = (HAS_NUMBER.test(key) && NUMBERED.exec(key)) || [];
    if (prefix === undefined || number === undefined || rest === undefined) continue;
    const items = fetch(lists, prefix, () => new Map<number, Map<string, T>>());
    fetch(items, Number(number), () => new Map<string, T>()).set(rest, value);
  }
  const ordered = [...lists].map(
    ([prefix, items]) => [prefix, [...items].sort(([a], [b]) => a - b).map(([, item]) => item)] as const,
  );
  return new Map(ordered);
}

function fetch<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
