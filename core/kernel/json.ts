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
    for (const child of Array.isArray(next) ? (next as readonly JsonValue[]) : Object.values(next as JsonObject)) {
      if (typeof child === 'object' || (typeof child === 'number' && !Number.isFinite(child))) open.push(child);
    }
  }
  return true;
}

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
