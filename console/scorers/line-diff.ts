export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** Beyond this many pairs of lines in the part that differs, it is shown as replaced as a whole. */
const MAX_PAIRS = 4_000_000;

/** Differences of two texts by line: a longest common subsequence between their common beginning and end. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < Math.min(left.length, right.length) - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const middle = diffMiddle(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return [...asLines('same', left.slice(0, start)), ...middle, ...asLines('same', left.slice(left.length - end))];
}

const asLines = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] => texts.map((text) => ({ kind, text }));

function diffMiddle(left: readonly string[], right: readonly string[]): DiffLine[] {
  if (left.length * right.length > MAX_PAIRS) return [...asLines('gone', left), ...asLines('new', right)];
  const width = right.length + 1;
  // At row i, column j: how many lines the rests from i and from j have in common.
  const common = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        left[i] === right[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) {
      lines.push({ kind: 'same', text: left[i]! });
      i += 1;
      j += 1;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) {
      lines.push({ kind: 'gone', text: left[i]! });
      i += 1;
    } else {
      lines.push({ kind: 'new', text: right[j]! });
      j += 1;
    }
  }
  return [...lines, ...asLines('gone', left.slice(i)), ...asLines('new', right.slice(j))];
}

/** Stretches of lines near changes; null stands for the same lines that are left out. */
export function nearChanges(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const shown = new Set<number>();
  for (const [at, { kind }] of lines.entries())
    if (kind !== 'same') for (let near = at - around; near <= at + around; near += 1) shown.add(near);
  const out: (DiffLine | null)[] = [];
  for (const [at, line] of lines.entries()) {
    if (shown.has(at)) out.push(line);
    else if (out.at(-1) !== null) out.push(null);
  }
  return out;
}
