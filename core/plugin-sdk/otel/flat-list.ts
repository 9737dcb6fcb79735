/** The items of one list that was sent as `<prefix>.<number>.<rest>`: by number, what stands under each `rest`. */
export type FlatList<T> = readonly ReadonlyMap<string, T>[];

/**
 * Takes lists apart that were flattened into keys. Returns them by prefix; their items are in the order of their
 * numbers, which need not be complete. Keys of maps only: a key part such as `__proto__` does no harm.
 */
export function flatLists<T>(entries: Iterable<readonly [string, T]>): ReadonlyMap<string, FlatList<T>> {
  const lists = new Map<string, Map<number, Map<string, T>>>();
  for (const [key, value] of entries) {
    const place = findPlace(key);
    if (!place) continue;
    const items = fetch(lists, place.prefix, () => new Map<number, Map<string, T>>());
    fetch(items, place.number, () => new Map<string, T>()).set(place.rest, value);
  }
  const ordered = [...lists].map(
    ([prefix, items]) => [prefix, [...items].sort(([a], [b]) => a - b).map(([, item]) => item)] as const,
  );
  return new Map(ordered);
}

function fetch<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

const MAX_DIGITS = 4;
const DOT = 0x2e;

/**
 * The first number of up to four digits that stands alone between two dots, with something behind it; every key of every span is
 * looked at, and a regular expression takes several times as long.
 */
function findPlace(key: string): { readonly prefix: string; readonly number: number; readonly rest: string } | undefined {
  for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
    let end = dot + 1;
    while (isDigit(key.charCodeAt(end))) end += 1;
    const digits = end - dot - 1;
    if (digits >= 1 && digits <= MAX_DIGITS && key.charCodeAt(end) === DOT && end + 1 < key.length)
      return { prefix: key.slice(0, dot), number: Number(key.slice(dot + 1, end)), rest: key.slice(end + 1) };
  }
  return undefined;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
