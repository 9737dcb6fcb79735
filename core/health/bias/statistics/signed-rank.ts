/** Against which alternative zero is tested. */
export type Alternative = 'two_sided' | 'greater';

export interface SignedRank {
  /** Of the null hypothesis that the differences are symmetric about 0. */
  readonly p_value: number;
  /** Matched-pairs rank-biserial correlation, −1 to 1; 0 where no difference is other than 0. */
  readonly rank_biserial: number;
}

/**
 * Wilcoxon's signed-rank test, exact: differences of 0 are dropped, ties get their mean rank, and the distribution of the rank sum
 * is that of all sign changes of the ranks that are there. Where all differences are −1, 0 or 1 it is the exact test of McNemar.
 * Takes time in the third power of the number of differences: hundreds at most.
 *
 * F. Wilcoxon, Biometrics Bulletin 1 (1945), 80–83; for the distribution with ties B. Streitberg and J. Röhmel, Statistical Software
 * Newsletter 12 (1986), 10–17; for the correlation D. S. Kerby, Comprehensive Psychology 3 (2014), 11.IT.3.1.
 */
export function testSignedRanks(differences: readonly number[], alternative: Alternative): SignedRank {
  const own = differences.filter((difference) => difference !== 0);
  if (own.length === 0) return { p_value: 1, rank_biserial: 0 };
  const doubled = toDoubledRanks(own.map(Math.abs));
  const total = doubled.reduce((sum, rank) => sum + rank, 0);
  const positive = doubled.reduce((sum, rank, at) => sum + (own[at]! > 0 ? rank : 0), 0);
  const probabilities = toDistribution(doubled, total);
  const upper = sumFrom(probabilities, positive, total);
  const lower = sumFrom(probabilities, 0, positive);
  const p_value = alternative === 'greater' ? upper : 2 * Math.min(upper, lower);
  return { p_value: Math.min(1, p_value), rank_biserial: (2 * positive - total) / total };
}

/** Twice the ranks, which are whole numbers for ties too: sizes that differ by rounding alone are tied. */
function toDoubledRanks(sizes: readonly number[]): number[] {
  const order = sizes.map((_, at) => at).toSorted((a, b) => sizes[a]! - sizes[b]!);
  const ranks = new Array<number>(sizes.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && isTied(sizes[order[from]!]!, sizes[order[to + 1]!]!)) to += 1;
    for (let at = from; at <= to; at += 1) ranks[order[at]!] = from + to + 2;
    from = to + 1;
  }
  return ranks;
}

const isTied = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(a, b);

/** Probability of each sum of the ranks of positive differences, when each sign is as likely as the other (shift algorithm). */
function toDistribution(ranks: readonly number[], total: number): Float64Array {
  const probabilities = new Float64Array(total + 1);
  probabilities[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum -= 1)
      probabilities[sum] = (probabilities[sum]! + (sum >= rank ? probabilities[sum - rank]! : 0)) / 2;
  }
  return probabilities;
}

function sumFrom(probabilities: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at <= to; at += 1) sum += probabilities[at]!;
  return sum;
}
