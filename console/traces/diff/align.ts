import type { Step } from '../steps/step.ts';

/** One span in two traces; undefined on the side that lacks it. */
export type Pair =
  | { readonly before: Step; readonly after: Step | undefined }
  | { readonly before: undefined; readonly after: Step };

/**
 * Spans of two traces side by side, parents before children: below spans that are paired, those of one type and name are, in their
 * order. Spans that the first trace alone has stand where they were.
 */
export function alignSteps(before: readonly Step[], after: readonly Step[]): Pair[] {
  const pairs: Pair[] = [];
  const open: Pair[] = [toPair(before[0], after[0])];
  for (let next = open.pop(); next; next = open.pop()) {
    pairs.push(next);
    const children = pairChildren(
      next.before ? listChildren(before, next.before) : [],
      next.after ? listChildren(after, next.after) : [],
    );
    open.push(...children.reverse());
  }
  return pairs;
}

const toPair = (before: Step | undefined, after: Step | undefined): Pair => ({ before, after }) as Pair;

function listChildren(steps: readonly Step[], parent: Step): Step[] {
  const children: Step[] = [];
  for (let at = parent.index + 1; at <= parent.index + parent.below; at += steps[at]!.below + 1) children.push(steps[at]!);
  return children;
}

function pairChildren(before: readonly Step[], after: readonly Step[]): Pair[] {
  // The last is taken first, so that taking one moves none.
  const waiting = Map.groupBy(before.toReversed(), toKey);
  const partners = after.map((step) => waiting.get(toKey(step))?.pop());
  const paired = new Set(partners);
  const pairs: Pair[] = [];
  let left = 0;
  for (const [at, step] of after.entries()) {
    const partner = partners[at];
    // Removed spans before the partner stand before it here, too.
    for (; partner && left < before.length && before[left] !== partner && !isLater(before[left]!, partner); left += 1)
      if (!paired.has(before[left])) pairs.push(toPair(before[left], undefined));
    if (partner && before[left] === partner) left += 1;
    pairs.push(toPair(partner, step));
  }
  for (; left < before.length; left += 1) if (!paired.has(before[left])) pairs.push(toPair(before[left], undefined));
  return pairs;
}

const isLater = (step: Step, than: Step): boolean => step.index > than.index;
const toKey = ({ record }: Step): string => JSON.stringify([record.type, record.name]);

/** Whether somebody would see a difference: a span of one side alone, another status, other texts. */
export function isChanged({ before, after }: Pair): boolean {
  if (!before || !after) return true;
  const [a, b] = [before.record, after.record];
  return a.status_code !== b.status_code || isOther(a.input, b.input) || isOther(a.output, b.output);
}

export const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
