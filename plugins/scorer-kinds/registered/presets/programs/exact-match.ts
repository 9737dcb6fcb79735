interface Scored {
  readonly output: string | null;
}
interface Context {
  readonly ground_truth: string | null;
}

/** Set to true in a copy to take upper and lower case for the same. */
const IGNORE_CASE: boolean = false;

/** Whether output and reference are the same text, whatever blanks stand round them and however letters are composed. */
export function scorer({ output }: Scored, { ground_truth }: Context): boolean {
  if (ground_truth === null) throw new Error('the record has no ground truth');
  const plain = (text: string): string => {
    const composed = text.normalize('NFC').trim();
    return IGNORE_CASE ? composed.toLowerCase() : composed;
  };
  return plain(output ?? '') === plain(ground_truth);
}
