/**
 * A view of a value, however deep, that counts how often something of it is read. For tests of what work costs: unlike a
 * clock, the count is the same on every machine.
 */
export function counted<T extends object>(root: T): { readonly value: T; reads(): number } {
  let reads = 0;
  const views = new WeakMap<object, object>();
  const toView = (value: unknown): unknown => {
    if (!isPlain(value)) return value;
    const known = views.get(value) ?? new Proxy(value, handler);
    views.set(value, known);
    return known;
  };
  const handler: ProxyHandler<object> = {
    get: (target, key) => {
      reads += 1;
      return toView(Reflect.get(target, key));
    },
  };
  return { value: toView(root) as T, reads: () => reads };
}

const isPlain = (value: unknown): value is object =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);
