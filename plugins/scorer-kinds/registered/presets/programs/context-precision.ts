interface Context {
  readonly required: { readonly chunk_relevance?: readonly boolean[] | null };
}

/** Whether relevant chunks are ranked first: the mean, over the ranks of relevant chunks, of the precision down to that rank. */
export function scorer(_record: unknown, { required }: Context): number {
  const relevant = required.chunk_relevance;
  if (!Array.isArray(relevant)) throw new Error('the record has no value of the scorer chunk_relevance');
  let [hits, sum] = [0, 0];
  for (const [index, isRelevant] of relevant.entries()) {
    if (!isRelevant) continue;
    hits += 1;
    sum += hits / (index + 1);
  }
  return hits === 0 ? 0 : sum / hits;
}
