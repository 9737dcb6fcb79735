/**
 * One request, told as what is done to the request that the access matrix has for the operation. It names no ids, so it can be
 * kept and sent again to another fixture.
 */
export type FuzzRequest =
  | { readonly kind: 'as_is' }
  /** Takes away, or replaces, the n-th place of the body; counted round. */
  | { readonly kind: 'remove'; readonly at: number }
  | { readonly kind: 'put'; readonly at: number; readonly value: unknown }
  | { readonly kind: 'add'; readonly at: number; readonly key: string; readonly value: unknown }
  | { readonly kind: 'body'; readonly value: unknown }
  | { readonly kind: 'raw'; readonly type: string; readonly text: string }
  | { readonly kind: 'param'; readonly at: number; readonly text: string }
  | { readonly kind: 'query'; readonly name: string; readonly text: string }
  | { readonly kind: 'form'; readonly name: string; readonly text: string; readonly is_file: boolean }
  | { readonly kind: 'method'; readonly method: string }
  | { readonly kind: 'anonymous' };

export interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

/** Every place of a value of JSON, from the outside in. */
export function toPlaces(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...toPlaces(holder[key])]);
}

/** A copy of the body with the request done to it. */
export function requestBody(body: unknown, fuzzRequest: FuzzRequest): unknown {
  const copy = structuredClone(body);
  const places = toPlaces(copy);
  if (fuzzRequest.kind === 'body') return fuzzRequest.value;
  if (fuzzRequest.kind === 'remove' && places.length > 0) {
    const { holder, key } = places[fuzzRequest.at % places.length]!;
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }
  if (fuzzRequest.kind === 'put' && places.length > 0) {
    const { holder, key } = places[fuzzRequest.at % places.length]!;
    (holder as Record<string, unknown>)[key] = fuzzRequest.value;
  }
  if (fuzzRequest.kind === 'add') {
    const holders = [copy, ...places.map(({ holder, key }) => (holder as Record<string, unknown>)[key])].filter(isObject);
    const holder = holders[fuzzRequest.at % Math.max(holders.length, 1)];
    if (holder)
      Object.defineProperty(holder, fuzzRequest.key, {
        value: fuzzRequest.value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
  }
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts the ids of a fixture where a body made from a schema names some. */
export function withIds(value: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === 'string' && Object.hasOwn(ids, key) ? ids[key] : withIds(item, ids),
  ]);
  return Object.fromEntries(entries);
}
