interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/**
 * How alike output and reference are, from 0 to 1: 1 less the least number of characters (code points) to insert, delete or
 * replace, as a share of the longer text.
 */
export function scorer({ output }: Scored, { ground_truth }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const [a, b] = [[...ground_truth], [...(output ?? '')]];
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 1 : 1 - distance(a, b) / longer;
}

function distance(a: readonly string[], b: readonly string[]): number {
  let above = [0, ...b.map((_, at) => at + 1)];
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [at, other] of b.entries()) {
      next.push(Math.min(above[at + 1]! + 1, next[at]! + 1, above[at]! + (letter === other ? 0 : 1)));
    }
    above = next;
  }
  return above.at(-1)!;
}
