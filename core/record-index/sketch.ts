/**
 * A histogram with buckets that grow with the value, so that a quantile read from it is off by a bounded share of
 * itself, however the values are spread: a DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019). Sketches add up, so hours
 * can be joined to days.
 */

/** A quantile is off by at most this share of its value. */
export const RELATIVE_ERROR = 0.01;
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LOG_GAMMA = Math.log(GAMMA);
/** Closer to zero counts as zero. */
const SMALLEST = 1e-12;

/** How many values fell into each bucket, by the bucket's key. */
export type Sketch = Readonly<Record<string, number>>;

/** `0` for zero, `p<i>` for positive and `n<i>` for negative values: γ^(i-1) < |value| ≤ γ^i. */
export function computeBucket(value: number): string {
  const size = Math.abs(value);
  if (size < SMALLEST) return '0';
  return `${value < 0 ? 'n' : 'p'}${Math.ceil(Math.log(size) / LOG_GAMMA)}`;
}

/** The value that is off by the same share from both ends of the bucket. */
export function computeMiddle(bucket: string): number {
  if (bucket === '0') return 0;
  const size = (2 * GAMMA ** Number(bucket.slice(1))) / (GAMMA + 1);
  return bucket.startsWith('n') ? -size : size;
}

/** The values of a bucket lie above the one and up to the other; those of negative ones from the one on. */
export function computeBounds(bucket: string): { readonly lower: number; readonly upper: number } {
  if (bucket === '0') return { lower: 0, upper: 0 };
  const exponent = Number(bucket.slice(1));
  const [inner, outer] = [GAMMA ** (exponent - 1), GAMMA ** exponent];
  return bucket.startsWith('n') ? { lower: -outer, upper: -inner } : { lower: inner, upper: outer };
}

export function computeSketch(values: readonly number[]): Sketch {
  const sketch: Record<string, number> = {};
  for (const value of values) {
    const bucket = computeBucket(value);
    sketch[bucket] = (sketch[bucket] ?? 0) + 1;
  }
  return sketch;
}

/** The sum of two sketches; `sign` -1 takes the second away. Empty buckets are left out. */
export function combined(a: Sketch, b: Sketch, sign: 1 | -1 = 1): Sketch {
  const sum: Record<string, number> = { ...a };
  for (const [bucket, count] of Object.entries(b)) {
    const left = (sum[bucket] ?? 0) + sign * count;
    if (left > 0) sum[bucket] = left;
    else delete sum[bucket];
  }
  return sum;
}

/** The sum of any number of sketches. */
export function summed(sketches: Iterable<Sketch>): Sketch {
  const sum: Record<string, number> = {};
  for (const sketch of sketches) for (const [bucket, count] of Object.entries(sketch)) sum[bucket] = (sum[bucket] ?? 0) + count;
  return sum;
}

/** The value below or at which a share `q` of the values lies, by nearest rank; null for an empty sketch. */
export function computeQuantile(sketch: Sketch, q: number): number | null {
  const buckets = Object.keys(sketch).sort((a, b) => toPlace(a) - toPlace(b));
  const total = buckets.reduce((sum, bucket) => sum + sketch[bucket]!, 0);
  let left = Math.max(1, Math.ceil(q * total));
  for (const bucket of buckets) {
    left -= sketch[bucket]!;
    if (left <= 0) return computeMiddle(bucket);
  }
  return null;
}

/** Beyond what the exponent of any bucket is. */
const FAR = 1e6;

/** Orders buckets as their values are. */
export function toPlace(bucket: string): number {
  if (bucket === '0') return 0;
  const exponent = FAR + Number(bucket.slice(1));
  return bucket.startsWith('n') ? -exponent : exponent;
}
