import type { ScorerKinds } from './scorer-kinds.ts';

/** A schema that depends on the installed kinds, made once for them: schemas with an id have to be the same wherever they are printed. */
export function forKinds<S>(make: (kinds: ScorerKinds) => S): (kinds: ScorerKinds) => S {
  const made = new WeakMap<ScorerKinds, S>();
  return (kinds) => {
    const schema = made.get(kinds) ?? make(kinds);
    made.set(kinds, schema);
    return schema;
  };
}
