import type { ScorerRecord } from '../scorer.ts';

type Needing = Pick<ScorerRecord, 'name' | 'required_scorers'>;

/** Each behind those it requires; what it requires and is not among them is left out. Of those in a circle none is left out. */
export function sortTopologically<T>(items: readonly T[], getScorer: (item: T) => Needing): T[] {
  const byName = new Map(items.map((item) => [getScorer(item).name, item]));
  const ordered = new Set<T>();
  const visit = (item: T, path: ReadonlySet<T>): void => {
    if (ordered.has(item) || path.has(item)) return;
    for (const name of getScorer(item).required_scorers ?? []) {
      const needed = byName.get(name);
      if (needed !== undefined) visit(needed, new Set(path).add(item));
    }
    ordered.add(item);
  };
  for (const item of items) visit(item, new Set());
  return [...ordered];
}

/** Names of scorers that require each other in a circle, in its order; undefined when there is none. */
export function findCycle(scorers: readonly Needing[]): string[] | undefined {
  const byName = new Map(scorers.map((scorer) => [scorer.name, scorer]));
  const clear = new Set<string>();
  const walk = (name: string, path: readonly string[]): string[] | undefined => {
    if (path.includes(name)) return path.slice(path.indexOf(name));
    if (clear.has(name)) return undefined;
    for (const needed of byName.get(name)?.required_scorers ?? []) {
      const circle = walk(needed, [...path, name]);
      if (circle) return circle;
    }
    clear.add(name);
    return undefined;
  };
  for (const { name } of scorers) {
    const circle = walk(name, []);
    if (circle) return circle;
  }
  return undefined;
}
