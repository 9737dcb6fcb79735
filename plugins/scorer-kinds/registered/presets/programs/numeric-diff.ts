interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** How near two numbers are, from 0 to 1: 1 less their difference as a share of their sizes. An output that is no number is 0. */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const parseNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
  const [expected, given] = [parseNumber(ground_truth), parseNumber(output ?? '')];
  if (!Number.isFinite(expected)) throw new Error('the ground truth is no number');
  if (expected === given) return 1;
  return Number.isFinite(given) ? 1 - Math.abs(expected - given) / (Math.abs(expected) + Math.abs(given)) : 0;
}
