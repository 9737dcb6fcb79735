import type { JsonValue } from '../../core/kernel/json.ts';
import type { Steps } from '../../core/kernel/slices.ts';
import type { JsonCursor, JsonExtent } from './json-cursor.ts';
import { getObject, type JsonFields } from './json-fields.ts';
import { malformed, type RequestBudget } from './request-budget.ts';

/** The fields of an object, and how many items of which of its lists were too much. */
export interface BoundedFields {
  readonly fields: JsonFields;
  readonly left_out: ReadonlyMap<string, number>;
}

/** An object up to this size is parsed at once. */
const MAX_AT_ONCE = 1024 * 1024;
const NOTHING_LEFT_OUT: ReadonlyMap<string, number> = new Map();

/** Reads the object that begins here: each member that is known by its reader, of two with one name the last. null is no member. */
export function* inObject(
  cursor: JsonCursor,
  name: string,
  budget: RequestBudget,
  readers: Readonly<Record<string, () => Steps<void>>>,
): Steps<void> {
  if (!cursor.isAtObject) return void getObject((yield* readAny(cursor, budget)) ?? null, name);
  cursor.enter();
  for (let member = cursor.member(); member !== undefined; member = cursor.member()) {
    if (Object.hasOwn(readers, member) && !cursor.isAtNull) yield* readers[member]!();
    else yield* readAny(cursor, budget);
    yield* cursor.pace();
  }
}

/** Reads the list that begins here, item by item. */
export function* readItems<T>(cursor: JsonCursor, name: string, budget: RequestBudget, read: () => Steps<T>): Steps<T[]> {
  if (!cursor.isAtArray) {
    yield* readAny(cursor, budget);
    throw malformed(`${name} is not an array`);
  }
  const items: T[] = [];
  cursor.enter();
  while (cursor.item()) {
    items.push(yield* read());
    yield* cursor.pace();
  }
  return items;
}

/** The object that begins here, without what is more than one span may hold. */
export function* readFields(cursor: JsonCursor, name: string, budget: RequestBudget): Steps<BoundedFields> {
  const extent = yield* cursor.skip();
  if (extent.values > budget.limits.maxValuesPerSpan || extent.to - extent.from > MAX_AT_ONCE)
    return yield* readLarge(cursor, extent, name, budget);
  return { fields: getObject(yield* cursor.parse(extent), name), left_out: NOTHING_LEFT_OUT };
}

/** Reads a large object. A field that it leaves out is not looked at, JSON or not. */
function* readLarge(cursor: JsonCursor, extent: JsonExtent, name: string, budget: RequestBudget): Steps<BoundedFields> {
  cursor.rewind(extent);
  if (!cursor.isAtObject) throw malformed(`${name} is not an object`);
  cursor.enterAgain();
  const part = new PartReader(cursor, budget);
  const fields: Record<string, JsonValue> = Object.create(null);
  const left_out = new Map<string, number>();
  for (let member = cursor.member(); member !== undefined; member = cursor.member()) {
    if (cursor.isAtArray) {
      const { items, beyond } = yield* part.list();
      fields[member] = items;
      left_out.set(member, beyond);
    } else fields[member] = (yield* part.value()) ?? null;
  }
  return { fields, left_out };
}

/** Reads the parts of one span while it has room for them. */
class PartReader {
  readonly #cursor: JsonCursor;
  readonly #maxBytes: number;
  #room: number;

  constructor(cursor: JsonCursor, { limits }: RequestBudget) {
    this.#cursor = cursor;
    this.#maxBytes = limits.maxPartBytes;
    this.#room = limits.maxValuesPerSpan;
  }

  *list(): Steps<{ readonly items: JsonValue[]; readonly beyond: number }> {
    const items: JsonValue[] = [];
    let beyond = 0;
    this.#cursor.enterAgain();
    while (this.#cursor.item()) {
      const item = yield* this.value();
      if (item === undefined) beyond += 1;
      else items.push(item);
    }
    return { items, beyond };
  }

  /** Undefined when there is no room for it. */
  *value(): Steps<JsonValue | undefined> {
    const extent = yield* this.#cursor.skipAgain();
    if (extent.values > this.#room || extent.to - extent.from > this.#maxBytes) return undefined;
    this.#room -= extent.values;
    return yield* this.#cursor.parse(extent);
  }
}

/** A value that nobody needs, which has to be JSON all the same; undefined when it is too large to find that out. */
export function* readAny(cursor: JsonCursor, { limits }: RequestBudget): Steps<JsonValue | undefined> {
  const extent = yield* cursor.skip();
  const isLarge = extent.values > limits.maxValuesPerSpan || extent.to - extent.from > limits.maxPartBytes;
  return isLarge ? undefined : yield* cursor.parse(extent);
}
