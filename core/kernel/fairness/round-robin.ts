type Branch<T> = Map<string, Branch<T>> | T[];

/**
 * A queue that is taken from in round-robin order, over the first part of the path, then over the second, and so on; items of
 * the same path in the order they came. All paths have the same length, at least one.
 */
export class RoundRobin<T> {
  readonly #root = new Map<string, Branch<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(path: readonly [string, ...string[]], item: T): void {
    let level = this.#root;
    for (const key of path.slice(0, -1)) {
      const next = level.get(key) ?? new Map<string, Branch<T>>();
      level.set(key, next);
      level = next as Map<string, Branch<T>>;
    }
    const last = path.at(-1)!;
    const items = level.get(last);
    if (items) (items as T[]).push(item);
    else level.set(last, [item]);
    this.#size += 1;
  }

  /** First keys with items, in the order of their turns. */
  keys(): Iterable<string> {
    return this.#root.keys();
  }

  /** The next item of this first key, of the one whose turn it is where none is given; the key moves to the end of the line. */
  shift(key = this.#root.keys().next().value): T | undefined {
    if (key === undefined || !this.#root.has(key)) return undefined;
    this.#size -= 1;
    return shiftFrom(this.#root, key);
  }

  /** Takes an item out; false when it is not waiting any more. */
  remove(path: readonly [string, ...string[]], item: T): boolean {
    const isRemoved = removeFrom(this.#root, path, item);
    if (isRemoved) this.#size -= 1;
    return isRemoved;
  }

  /** Takes out all items that match; their order in the line stays as it is for the others. */
  removeWhere(matches: (item: T) => boolean): void {
    this.#size = keepIn(this.#root, (item) => !matches(item));
  }

  /** Takes everything. */
  drain(): T[] {
    const all: T[] = [];
    while (this.#size > 0) all.push(this.shift()!);
    return all;
  }
}

function shiftFrom<T>(level: Map<string, Branch<T>>, key: string): T {
  const branch = level.get(key)!;
  level.delete(key);
  const item = Array.isArray(branch) ? branch.shift()! : shiftFrom(branch, branch.keys().next().value!);
  if ((Array.isArray(branch) ? branch.length : branch.size) > 0) level.set(key, branch);
  return item;
}

/** Returns how many items are left. */
function keepIn<T>(level: Map<string, Branch<T>>, isKept: (item: T) => boolean): number {
  let size = 0;
  for (const [key, branch] of level) {
    const kept = Array.isArray(branch) ? branch.filter(isKept) : branch;
    const left = Array.isArray(kept) ? kept.length : keepIn(kept, isKept);
    if (left === 0) level.delete(key);
    else level.set(key, kept);
    size += left;
  }
  return size;
}

function removeFrom<T>(level: Map<string, Branch<T>>, [key, ...rest]: readonly string[], item: T): boolean {
  const branch = level.get(key!);
  if (!branch) return false;
  if (!Array.isArray(branch)) {
    const isRemoved = removeFrom(branch, rest, item);
    if (branch.size === 0) level.delete(key!);
    return isRemoved;
  }
  const at = branch.indexOf(item);
  if (at < 0) return false;
  branch.splice(at, 1);
  if (branch.length === 0) level.delete(key!);
  return true;
}
