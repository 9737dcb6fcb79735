interface Context {
  readonly required: { readonly chunk_relevance?: readonly boolean[] | null };
}

/** How many of the first chunks are looked at; another number in a copy. */
const K: number = 3;

/** Which share of the first K chunks is relevant; chunks that were not found count as not relevant. */
export function scorer(_record: unknown, { required }: Context): number {
  const relevant = required.chunk_relevance;
  if (!Array.isArray(relevant)) throw new Error('the record has no value of the scorer chunk_relevance');
  return relevant.slice(0, K).filter((isRelevant) => isRelevant === true).length / K;
}
