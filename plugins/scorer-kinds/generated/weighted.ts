import type { ScoreValue, Vote } from '../../../core/plugin-sdk/index.ts';

/** How much a vote counts: those of the judges of one model the same. */
export const getWeight = ({ weight = 1 }: Pick<Vote, 'weight'>): number => weight;

/** The weight of all votes whose value is like that. */
export const weightOf = (votes: readonly Vote[], isLike: (value: ScoreValue) => boolean): number =>
  votes.reduce((sum, vote) => (isLike(vote.value) ? sum + getWeight(vote) : sum), 0);

export const weightOfAll = (votes: readonly Vote[]): number => weightOf(votes, () => true);

/** As the mean, each value as often as its vote weighs. */
export const weightedMean = (votes: readonly Vote[], read: (value: ScoreValue) => number): number =>
  votes.reduce((sum, vote) => sum + read(vote.value) * getWeight(vote), 0) / weightOfAll(votes);

/** The value with half of the weight below and above it; the mean of two where the halves meet between them. */
export function weightedMedian(votes: readonly Vote[]): number {
  const ascending = votes.toSorted((a, b) => (a.value as number) - (b.value as number));
  const half = weightOfAll(votes) / 2;
  let below = 0;
  for (const [at, vote] of ascending.entries()) {
    below += getWeight(vote);
    if (isSame(below, half)) return ((vote.value as number) + (ascending[at + 1]?.value as number)) / 2;
    if (below > half) return vote.value as number;
  }
  return ascending.at(-1)!.value as number;
}

/** Sums of weights such as 0.1 + 0.2 are not exactly what they stand for. */
export const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** Whether one weight is more than another, by more than sums may be off. */
export const isMore = (a: number, b: number): boolean => a > b && !isSame(a, b);
