interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** Set to true in a copy to take upper and lower case for the same. */
const IGNORE_CASE: boolean = false;

/** Whether the reference stands somewhere in the output. */
export function scorer({ output }: Scored, { ground_truth }: Context): boolean {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const plain = (text: string): string => (IGNORE_CASE ? text.normalize('NFC').toLowerCase() : text.normalize('NFC'));
  return plain(output ?? '').includes(plain(ground_truth));
}
