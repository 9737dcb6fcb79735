import type { ImportedLabel, ImportedPrompt } from './shapes.ts';

export type NumberedPrompt = ImportedPrompt & { readonly version: number };

/**
 * All versions of one prompt with their numbers, ascending. Commits are numbered by their order: parents before what follows on
 * them, then by time, then as they came. The same commits have the same numbers however often and in whatever order they come.
 */
export function numbered(versions: readonly ImportedPrompt[], labels: readonly ImportedLabel[]): NumberedPrompt[] {
  const own = [...new Map(versions.map((one) => [one.commit?.id ?? String(one.version), one])).values()];
  return inOrder(own)
    .map(
      (one, at): NumberedPrompt => ({
        ...one,
        version: one.version ?? at + 1,
        labels: [...one.labels, ...labelsOf(one, labels)],
      }),
    )
    .sort((one, other) => one.version - other.version);
}

/** Commits are named by hashes, which may be shortened. */
const labelsOf = ({ commit }: ImportedPrompt, labels: readonly ImportedLabel[]): string[] =>
  commit === undefined ? [] : labels.filter((one) => one.commit === commit.id).map(({ label }) => label);

function inOrder(versions: readonly ImportedPrompt[]): ImportedPrompt[] {
  const byId = new Map(versions.map((one) => [one.commit?.id, one]));
  const depths = new Map<ImportedPrompt, number>();
  const depth = (version: ImportedPrompt): number => {
    const chain: ImportedPrompt[] = [];
    let next: ImportedPrompt | undefined = version;
    while (next && !depths.has(next) && !chain.includes(next)) {
      chain.push(next);
      next = next.commit?.parent === undefined ? undefined : byId.get(next.commit.parent);
    }
    let below = next === undefined ? -1 : (depths.get(next) ?? -1);
    for (const one of chain.toReversed()) {
      below += 1;
      depths.set(one, below);
    }
    return depths.get(version)!;
  };
  const time = ({ commit }: ImportedPrompt): string => commit?.at ?? '';
  return versions.toSorted(
    (one, other) => depth(one) - depth(other) || (time(one) < time(other) ? -1 : time(one) > time(other) ? 1 : 0),
  );
}
