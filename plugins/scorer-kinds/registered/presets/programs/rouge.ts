interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** ROUGE-L (Lin, 2004): the F-measure of the longest sequence of words that output and reference have in common. */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const [reference, given] = [toWords(ground_truth), toWords(output ?? '')];
  if (reference.length === 0 || given.length === 0) return 0;
  return (2 * longestCommon(reference, given)) / (reference.length + given.length);
}

const toWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = [0, ...b.map(() => 0)];
  for (const word of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(word === other ? above[at]! + 1 : Math.max(above[at + 1]!, next[at]!));
    }
    above = next;
  }
  return above.at(-1)!;
}
