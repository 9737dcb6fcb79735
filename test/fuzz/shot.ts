/**
 * One request, told as what is done to the request that the access matrix has for the operation. It names no ids, so it can be
 * kept and sent again to another world.
 */
export type Shot =
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
export function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

/** A copy of the body with the shot done to it. */
export function shotBody(body: unknown, shot: Shot): unknown {
  const copy = structuredClone(body);
  const places = placesOf(copy);
  if (shot.kind === 'body') return shot.value;
  if (shot.kind === 'remove' && places.length > 0) {
    const { holder, key } = places[shot.at % places.length]!;
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }
  if (shot.kind === 'put' && places.length > 0) {
    const { holder, key } = places[shot.at % places.length]!;
    (holder as Record<string, unknown>)[key] = shot.value;
  }
  if (shot.kind === 'add') {
    const holders = [copy, ...places.map(({ holder, key }) => (holder as Record<string, unknown>)[key])].filter(isObject);
    const holder = holders[shot.at % Math.max(holders.length, 1)];
    if (holder)
      Object.defineProperty(holder, shot.key, { value: shot.value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Puts the ids of a world where a body made from a schema names some. */
export function withIds(value: unknown, ids: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withIds(item, ids));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === 'string' && Object.hasOwn(ids, key) ? ids[key] : withIds(item, ids),
  ]);
  return Object.fromEntries(entries);
}
