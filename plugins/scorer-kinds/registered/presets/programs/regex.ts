interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** Whether the output matches the reference, read as a regular expression. One that takes too long ends with the program. */
export function scorer({ output }: Scored, { ground_truth }: Context): boolean {
  if (ground_truth === null) throw new Error('the record has no ground truth, which would be the expression');
  return new RegExp(ground_truth, 'u').test(output ?? '');
}
