/** Scores between 0 and 1 beside what was true: 1 or 0 of each row. Both have the same length. */
export interface Outcomes {
  readonly scores: Float64Array;
  readonly truths: Uint8Array;
}

/** Rows by ascending score; those of equal score keep their order. */
export function sortByScore({ scores, truths }: Outcomes): Outcomes {
  const order = Uint32Array.from(scores, (_score, at) => at).sort((a, b) => scores[a]! - scores[b]! || a - b);
  return takeRows({ scores, truths }, order);
}

/** The rows at these places, in this order. */
export const takeRows = ({ scores, truths }: Outcomes, places: Uint32Array): Outcomes => ({
  scores: Float64Array.from(places, (at) => scores[at]!),
  truths: Uint8Array.from(places, (at) => truths[at]!),
});

export function countTrue({ truths }: Outcomes): number {
  let count = 0;
  for (const truth of truths) count += truth;
  return count;
}
