export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Path to the first number that is not finite, or undefined. `1e400` parses as Infinity and would be given back as
 * null: such a value cannot be kept, so it has to be refused. Walks without recursion.
 */
export function findNonFinite(value: JsonValue): (string | number)[] | undefined {
  const open: { value: JsonValue; path: (string | number)[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'number' && !Number.isFinite(next.value)) return next.path;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, child] of Object.entries(next.value)) {
      if (typeof child === 'number' || typeof child === 'object')
        open.push({ value: child as JsonValue, path: [...next.path, key] });
    }
  }
  return undefined;
}
