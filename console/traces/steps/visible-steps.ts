import type { Step } from './step.ts';
import { isFiltering, matches, type StepFilter } from './step-filter.ts';

export interface VisibleStep {
  readonly step: Step;
  /** Undefined when nothing stands below it. */
  readonly expanded: boolean | undefined;
  /** Meets the filter itself, and is not shown for what stands below it alone. */
  readonly matched: boolean;
}

/** Lists the steps that the tree shows: without collapsed ones, or those that match the filter with the path to them. */
export function visibleSteps(steps: readonly Step[], folded: ReadonlySet<string>, filter: StepFilter): VisibleStep[] {
  return isFiltering(filter) ? filtered(steps, filter) : unfolded(steps, folded);
}

function unfolded(steps: readonly Step[], folded: ReadonlySet<string>): VisibleStep[] {
  const visible: VisibleStep[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at]!;
    const isFolded = step.below > 0 && folded.has(step.record.id);
    visible.push({ step, expanded: step.below === 0 ? undefined : !isFolded, matched: true });
    if (isFolded) at += step.below;
  }
  return visible;
}

function filtered(steps: readonly Step[], filter: StepFilter): VisibleStep[] {
  const found = new Set(steps.filter((step) => matches(step, filter)));
  const shown = new Set<Step>();
  for (const one of found) for (let step: Step | undefined = one; step && !shown.has(step); step = step.parent) shown.add(step);
  return steps
    .filter((step) => shown.has(step))
    .map((step) => ({ step, expanded: step.below > 0 ? true : undefined, matched: found.has(step) }));
}

/** The steps above one, which have to be open for it to be seen. */
export function above(step: Step): Step[] {
  const way: Step[] = [];
  for (let at = step.parent; at; at = at.parent) way.push(at);
  return way;
}
