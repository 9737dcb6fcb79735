import type { JsonObject, JsonValue } from '../plugin-sdk/json.ts';

export type { JsonObject, JsonValue } from '../plugin-sdk/json.ts';

/**
 * Path to the first number that is not finite, or undefined. `1e400` parses as Infinity and would be given back as
 * null: such a value cannot be kept, so it has to be refused. Walks without recursion.
 */
export function findNonFinite(value: JsonValue): (string | number)[] | undefined {
  return isFiniteThroughout(value) ? undefined : pathToNonFinite(value);
}

/** Every value of every request comes by here, so it keeps no paths. */
function isFiniteThroughout(value: JsonValue): boolean {
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const child of next as readonly JsonValue[]) if (isToBeSeen(child)) open.push(child);
    } else {
      // Without an array of its values, which takes twice as long where there are thousands of names.
      for (const name in next) {
        const child = (next as JsonObject)[name]!;
        if (isToBeSeen(child)) open.push(child);
      }
    }
  }
  return true;
}

const isToBeSeen = (value: JsonValue): boolean =>
  typeof value === 'object' || (typeof value === 'number' && !Number.isFinite(value));

function pathToNonFinite(value: JsonValue): (string | number)[] | undefined {
  const open: { value: JsonValue; path: (string | number)[] }[] = [{ value, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value === 'number' && !Number.isFinite(next.value)) return next.path;
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, child] of Array.isArray(next.value) ? next.value.entries() : Object.entries(next.value)) {
      if (typeof child === 'number' || typeof child === 'object')
        open.push({ value: child as JsonValue, path: [...next.path, key] });
    }
  }
  return undefined;
}

/** Whether arrays and objects nest deeper than `limit` levels; what does cannot be walked by recursion, or written as JSON. */
export function isDeeperThan(limit: number, value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    const containers = level.filter((item) => typeof item === 'object' && item !== null);
    if (containers.length > 0 && depth >= limit) return true;
    level = containers.flatMap((item) => Object.values<JsonValue>(item));
  }
  return false;
}
