import type { RecordTree } from '../../../core/traces/record.ts';
import { summarize } from './summary.ts';

type Compact = Record<string, unknown> & { spans?: Compact[] };

/** The tree with summaries of its records, breadth first up to so many spans; `spans_not_shown` counts those left out of each. */
export function toCompactTree(root: RecordTree, maxSpans: number): Compact {
  const top: Compact = { ...summarize(root) };
  let room = maxSpans;
  let level: (readonly [RecordTree, Compact])[] = [[root, top]];
  while (level.length > 0) {
    const next: (readonly [RecordTree, Compact])[] = [];
    for (const [from, to] of level) {
      const shown = from.spans.slice(0, room);
      room -= shown.length;
      if (from.spans.length > shown.length) to.spans_not_shown = from.spans.length - shown.length;
      if (shown.length === 0) continue;
      to.spans = shown.map((span) => ({ ...summarize(span) }));
      next.push(...shown.map((span, at) => [span, to.spans![at]!] as const));
    }
    level = next;
  }
  return top;
}

/** All records of a tree, the root first. */
export function* walkTree(root: RecordTree): Generator<RecordTree> {
  const open = [root];
  for (let record = open.pop(); record; record = open.pop()) {
    yield record;
    for (const span of record.spans.toReversed()) open.push(span);
  }
}
