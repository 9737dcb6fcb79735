import type { TraceNode } from './steps/step.ts';

/** A longer trace is not fetched again and again: that is left to whoever looks at it. */
const MAX_STEPS = 1000;

/** Whether more is to come: spans of a trace that is not complete, or scores. */
export function isUnderWay(trace: TraceNode): boolean {
  const open: TraceNode[] = [trace];
  let pending = !trace.is_complete;
  let seen = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    seen += 1;
    if (seen > MAX_STEPS) return false;
    pending ||= Object.values(next.metric_info).some(({ status_type }) => status_type === 'pending');
    open.push(...next.spans);
  }
  return pending;
}
