/** Beyond so many differences the normal distribution is close enough. */
const EXACT_UP_TO = 50;

export interface SignedRank {
  /** The smaller of the sums of ranks of rises and of falls. */
  readonly statistic: number;
  /** Which sum of ranks is the larger: 1 for that of rises, −1 for that of falls. */
  readonly direction: -1 | 0 | 1;
  readonly p_value: number;
  readonly is_exact: boolean;
}

/**
 * The signed-rank test (Wilcoxon, "Individual comparisons by ranking methods", 1945), two-sided. Differences of zero are left
 * out, equal sizes share their mean rank. Up to 50 differences the distribution is counted out over all signs for these very
 * ranks, so ties do no harm; beyond, the normal approximation with corrections for ties and continuity.
 */
export function signedRank(differences: readonly number[]): SignedRank {
  const moved = differences.filter((difference) => difference !== 0);
  const ranks = doubledRanks(moved.map(Math.abs));
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const risen = ranks.reduce((sum, rank, at) => sum + (moved[at]! > 0 ? rank : 0), 0);
  const smaller = Math.min(risen, total - risen);
  const direction = Math.sign(2 * risen - total) as SignedRank['direction'];
  const is_exact = moved.length <= EXACT_UP_TO;
  const p_value = is_exact ? exactShare(ranks, smaller) : normalShare(ranks, smaller);
  return { statistic: smaller / 2, direction, p_value: Math.min(1, p_value), is_exact };
}

/** Ranks from 1, times two, so that the mean rank of equals is a whole number. */
export function doubledRanks(sizes: readonly number[]): number[] {
  const order = sizes.map((_, at) => at).sort((a, b) => sizes[a]! - sizes[b]!);
  const ranks = new Array<number>(sizes.length);
  for (let first = 0; first < order.length; ) {
    let end = first;
    while (end < order.length && sizes[order[end]!] === sizes[order[first]!]) end += 1;
    for (let at = first; at < end; at += 1) ranks[order[at]!] = first + 1 + end;
    first = end;
  }
  return ranks;
}

/** The share of all choices of signs whose smaller sum is no greater. `ways[s]` is the share of choices with sum `s`. */
function exactShare(ranks: readonly number[], smaller: number): number {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum -= 1) ways[sum] = (ways[sum]! + (sum >= rank ? ways[sum - rank]! : 0)) / 2;
  }
  let below = 0;
  for (let sum = 0; sum <= smaller; sum += 1) below += ways[sum]!;
  return 2 * below;
}

function normalShare(ranks: readonly number[], smaller: number): number {
  const n = ranks.length;
  const ties = [...Map.groupBy(ranks, (rank) => rank).values()].reduce((sum, { length: t }) => sum + t ** 3 - t, 0);
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48;
  const distance = Math.max(0, (n * (n + 1)) / 4 - smaller / 2 - 0.5);
  return 1 - erf(distance / Math.sqrt(2 * variance));
}

/** By its series (DLMF 7.6.2); beyond 6 it is 1 to all digits. */
export function erf(x: number): number {
  if (x > 6) return 1;
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}
