/** JSON text that is the same for the same value: keys of objects in order, whatever order they were given in. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, (_key, item: unknown) => inOrder(item)) ?? 'null';

function inOrder(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
