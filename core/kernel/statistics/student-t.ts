/** Student's t distribution (Student, "The probable error of a mean", Biometrika 1908). */

/** Lanczos' approximation of the logarithm of the gamma function, g = 7, nine terms; about 15 digits. */
const LANCZOS: readonly [number, ...number[]] = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

export function logGamma(x: number): number {
  const z = x - 1;
  const [first, ...others] = LANCZOS;
  const sum = others.reduce((total, coefficient, at) => total + coefficient / (z + at + 1), first);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22) as Lentz evaluates it. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  return front * fraction(x, a, b);
}

const TINY = 1e-300;
const MAX_STEPS = 500;
const away = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= MAX_STEPS; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let step = 1;
    for (const term of [even, odd]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      step = c * d;
      result *= step;
    }
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return result;
}

/** The share of the distribution with `freedom` degrees that lies within ±t. */
export const shareWithin = (t: number, freedom: number): number =>
  1 - incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/** The share of the distribution that lies beyond ±t: the p-value of a two-sided test, with all its digits where it is tiny. */
export const shareBeyond = (t: number, freedom: number): number => incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);

/** The t within ±which a share of the distribution lies, by halving. */
export function quantileWithin(share: number, freedom: number): number {
  let high = 1;
  while (shareWithin(high, freedom) < share) high *= 2;
  let low = 0;
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step += 1) {
    const middle = (low + high) / 2;
    if (shareWithin(middle, freedom) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
