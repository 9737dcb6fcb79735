interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** Set to true in a copy to take upper and lower case for the same. */
const IGNORE_CASE: boolean = false;
const LONGEST = 4;

/**
 * BLEU-4 of one output against one reference (Papineni and others, 2002): the geometric mean of the clipped precisions of runs of
 * one to four words, times the penalty for short outputs. Without smoothing: 0 as soon as one precision is 0.
 */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const [reference, given] = [toWords(ground_truth), toWords(output ?? '')];
  let sum = 0;
  for (let n = 1; n <= LONGEST; n += 1) sum += Math.log(precision(runs(given, n), runs(reference, n)));
  const penalty = given.length > reference.length ? 1 : Math.exp(1 - reference.length / given.length);
  return sum === Number.NEGATIVE_INFINITY || given.length === 0 ? 0 : Math.exp(sum / LONGEST) * penalty;
}

const toWords = (text: string): string[] => (IGNORE_CASE ? text.toLowerCase() : text).split(/\s+/).filter((word) => word !== '');

/** How often each run of n words occurs. */
function runs(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + n <= words.length; at += 1) {
    const run = words.slice(at, at + n).join(' ');
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

/** Share of the runs that are in the reference, each counted at most as often as there. */
function precision(given: ReadonlyMap<string, number>, reference: ReadonlyMap<string, number>): number {
  let [hits, all] = [0, 0];
  for (const [run, count] of given) {
    hits += Math.min(count, reference.get(run) ?? 0);
    all += count;
  }
  return all === 0 ? 0 : hits / all;
}
