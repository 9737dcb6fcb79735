/** A run of text that both sides have, or only one of them. */
export interface TextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Words, numbers with their fractions, gaps and signs, each for itself: a comma behind a word makes it no other one. */
const WORD = /[\p{L}\p{N}_]+(?:[.,]\p{N}+)*|\s+|[^\p{L}\p{N}_\s]/gu;
/** As many differences are searched for; beyond, everything between what is equal at both ends counts as changed. */
const MAX_DIFFERENCES = 500;

/**
 * Differences of two texts by word: the shortest way from one to the other, after E. W. Myers, "An O(ND) Difference
 * Algorithm and Its Variations" (1986).
 */
export function changedWords(before: string, after: string): TextPart[] {
  const [left, right] = [before.match(WORD) ?? [], after.match(WORD) ?? []];
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  const most = Math.min(left.length, right.length) - head;
  while (tail < most && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const [a, b] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  return merged([...marked('same', left.slice(0, head)), ...between(a, b), ...marked('same', left.slice(left.length - tail))]);
}

const marked = (kind: TextPart['kind'], words: readonly string[]): TextPart[] => words.map((text) => ({ kind, text }));

function between(a: readonly string[], b: readonly string[]): TextPart[] {
  const steps = toSteps(a, b);
  return steps ? walkedBack(a, b, steps) : [...marked('removed', a), ...marked('added', b)];
}

/** How far each diagonal reaches after each number of differences; undefined when there are too many. */
function toSteps(a: readonly string[], b: readonly string[]): ReadonlyMap<number, number>[] | undefined {
  const steps: Map<number, number>[] = [];
  for (let differences = 0; differences <= Math.min(a.length + b.length, MAX_DIFFERENCES); differences += 1) {
    const last = steps.at(-1);
    const reach = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = last ? startOn(diagonal, differences, last) : 0;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return [...steps, reach];
    }
    steps.push(reach);
  }
  return undefined;
}

const comesFromAbove = (diagonal: number, differences: number, last: ReadonlyMap<number, number>): boolean =>
  diagonal === -differences || (diagonal !== differences && last.get(diagonal - 1)! < last.get(diagonal + 1)!);

const startOn = (diagonal: number, differences: number, last: ReadonlyMap<number, number>): number =>
  comesFromAbove(diagonal, differences, last) ? last.get(diagonal + 1)! : last.get(diagonal - 1)! + 1;

function walkedBack(a: readonly string[], b: readonly string[], steps: readonly ReadonlyMap<number, number>[]): TextPart[] {
  const parts: TextPart[] = [];
  let [x, y] = [a.length, b.length];
  for (let differences = steps.length - 1; differences > 0; differences -= 1) {
    const last = steps[differences - 1]!;
    const isAdded = comesFromAbove(x - y, differences, last);
    const from = isAdded ? x - y + 1 : x - y - 1;
    const [fromX, fromY] = [last.get(from)!, last.get(from)! - from];
    for (; x > fromX + (isAdded ? 0 : 1) && y > fromY + (isAdded ? 1 : 0); x -= 1, y -= 1)
      parts.push({ kind: 'same', text: a[x - 1]! });
    parts.push(isAdded ? { kind: 'added', text: b[fromY]! } : { kind: 'removed', text: a[fromX]! });
    [x, y] = [fromX, fromY];
  }
  for (; x > 0; x -= 1) parts.push({ kind: 'same', text: a[x - 1]! });
  return parts.reverse();
}

/** Runs of one kind as one part; between two equal words what went comes before what came. */
function merged(parts: readonly TextPart[]): TextPart[] {
  const out: TextPart[] = [];
  let [removed, added] = ['', ''];
  for (const [at, { kind, text }] of parts.entries()) {
    const next = parts[at + 1];
    const isBetween = (removed || added) && next !== undefined && next.kind !== 'same';
    if (kind === 'same' && isBetween && isWordless(text)) [removed, added] = [removed + text, added + text];
    else if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      out.push(...toChange(removed, added));
      [removed, added] = ['', ''];
      const last = out.at(-1);
      if (last?.kind === 'same') out[out.length - 1] = { kind, text: last.text + text };
      else out.push({ kind, text });
    }
  }
  return [...out, ...toChange(removed, added)];
}

/** A gap or sign alone between two changes says nothing: it belongs to both. */
const isWordless = (text: string): boolean => !/[\p{L}\p{N}_]/u.test(text);

const toChange = (removed: string, added: string): TextPart[] => [
  ...(removed ? [{ kind: 'removed', text: removed } as const] : []),
  ...(added ? [{ kind: 'added', text: added } as const] : []),
];
