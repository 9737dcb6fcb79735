/** A rated value as formulas of agreement take it: a name, or a number on a scale. */
export type Rated = string | number;

/**
 * Cohen's kappa of two raters over the records that both rated: (p_o - p_e) / (1 - p_e). Null without such records, or where both gave
 * one and the same answer throughout, which leaves nothing to agree on beyond chance.
 *
 * Source: J. Cohen (1960), A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1).
 */
export function computeCohenKappa(pairs: readonly (readonly [Rated, Rated])[]): number | null {
  const total = pairs.length;
  if (total === 0) return null;
  const [left, right] = [count(pairs.map(([a]) => a)), count(pairs.map(([, b]) => b))];
  const observed = pairs.filter(([a, b]) => a === b).length / total;
  const expected = [...left].reduce((sum, [value, n]) => sum + n * (right.get(value) ?? 0), 0) / (total * total);
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

/**
 * Fleiss' kappa of records that each have the same number of answers, two or more. Null where they have not, without records, and
 * where all answers are one.
 *
 * Source: J. L. Fleiss (1971), Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (5).
 */
export function computeFleissKappa(units: readonly (readonly Rated[])[]): number | null {
  const raters = units[0]?.length ?? 0;
  if (raters < 2 || units.some(({ length }) => length !== raters)) return null;
  const agreements = units.map((unit) => (sumOfSquares(count(unit)) - raters) / (raters * (raters - 1)));
  const observed = agreements.reduce((sum, one) => sum + one, 0) / units.length;
  const expected = sumOfSquares(count(units.flat())) / (units.length * raters) ** 2;
  return expected === 1 ? null : (observed - expected) / (1 - expected);
}

export type Scale = 'nominal' | 'ordinal' | 'interval';

/**
 * Krippendorff's alpha, 1 - D_o / D_e, of records with any number of answers; those with fewer than two are left out. Null where
 * nothing could differ. Ordinal differences are those of the values' mean ranks, which is Krippendorff's ordinal metric, so that each
 * scale takes time in proportion to the answers (and to sort them).
 *
 * Source: K. Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, University of Pennsylvania.
 */
export function computeKrippendorffAlpha(scale: Scale, units: readonly (readonly Rated[])[]): number | null {
  const paired = units.filter(({ length }) => length > 1);
  const all = paired.flat();
  const toDistance = scale === 'nominal' ? countDifferent : sumOfDistances(scale === 'ordinal' ? toMeanRanks(all) : Number);
  const expected = toDistance(all) / (all.length - 1);
  if (all.length === 0 || expected === 0) return null;
  return 1 - paired.reduce((sum, unit) => sum + toDistance(unit) / (unit.length - 1), 0) / expected;
}

/** Of all ordered pairs of the values those that differ. */
const countDifferent = (values: readonly Rated[]): number => values.length ** 2 - sumOfSquares(count(values));

/** The squared distances of all ordered pairs of the values, about their mean so that large numbers keep their digits. */
const sumOfDistances =
  (toNumber: (value: Rated) => number) =>
  (values: readonly Rated[]): number => {
    const numbers = values.map(toNumber);
    const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    return 2 * numbers.length * numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  };

function toMeanRanks(values: readonly Rated[]): (value: Rated) => number {
  const ranks = new Map<Rated, number>();
  let below = 0;
  for (const [value, n] of [...count(values)].sort(([a], [b]) => Number(a) - Number(b))) {
    ranks.set(value, below + n / 2);
    below += n;
  }
  return (value) => ranks.get(value)!;
}

function count(values: readonly Rated[]): Map<Rated, number> {
  const counts = new Map<Rated, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const sumOfSquares = (counts: ReadonlyMap<Rated, number>): number => [...counts.values()].reduce((sum, n) => sum + n * n, 0);
