interface Context {
  readonly ground_truth: string | null;
  readonly spans: readonly { readonly type: string; readonly name: string }[];
}

/** Which share of the expected tools were called in their order; further calls between them do no harm. */
export function scorer(_record: unknown, { ground_truth, spans }: Context): number {
  if (ground_truth === null) throw new Error('the record has no ground truth, which would be the names of the tools');
  const expected = readNames(ground_truth);
  const called = spans.filter(({ type }) => type === 'tool').map(({ name }) => name);
  return expected.length === 0 ? 1 : computeCommonLength(expected, called) / expected.length;
}

function readNames(text: string): string[] {
  try {
    const names: unknown = JSON.parse(text);
    if (Array.isArray(names)) return names.map(String);
  } catch {
    // Names with commas between them.
  }
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Length of the longest common subsequence. */
function computeCommonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const name of a) {
    const next = [0];
    for (const [at, other] of b.entries()) next.push(name === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    row = next;
  }
  return row[b.length]!;
}
