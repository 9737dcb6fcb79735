interface Named {
  readonly name: string;
  readonly alias?: string | undefined;
}

const lowered = (text: string): string => text.toLowerCase();

/** From the strictest to the loosest reading of a name; what has no letter or digit is read as nothing. */
const READINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  lowered,
  (text) => lowered(text).replaceAll(/[^\p{L}\p{N}]/gu, ''),
];

/**
 * The model that an alias means, and the index of the list it is in. Exact spelling wins over all lists, then spelling
 * without regard to case, then without regard to punctuation; within one reading the first list, and there a name over
 * an alias.
 */
export function findModel<M extends Named>(
  lists: readonly (readonly M[])[],
  alias: string,
): { readonly at: number; readonly model: M } | undefined {
  for (const reading of READINGS) {
    const wanted = reading(alias);
    if (wanted === '') continue;
    const means = (text: string | undefined): boolean => text !== undefined && reading(text) === wanted;
    for (const [at, models] of lists.entries()) {
      const model = models.find(({ name }) => means(name)) ?? models.find((one) => means(one.alias));
      if (model) return { at, model };
    }
  }
  return undefined;
}
