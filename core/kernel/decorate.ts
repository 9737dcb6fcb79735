/** The store with some of its methods replaced; all others are those of the store itself. */
export function decorate<T extends object>(store: T, methods: Partial<T>): T {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
