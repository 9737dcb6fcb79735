import { useState } from 'preact/hooks';
import { type Loaded, useLoaded } from '../kit/use-loaded.ts';
import type { TraceNode } from './steps/step.ts';

const LIVE_MS = 5000;
/** A longer trace is not fetched again and again: that is left to whoever looks at it. */
const MAX_STEPS = 1000;

/** A trace that is loaded again and again while more of it is to come. */
export function useLiveTrace(
  key: string,
  load: (signal: AbortSignal) => Promise<TraceNode>,
): { readonly loaded: Loaded<TraceNode>; readonly live: boolean } {
  /** The key whose trace is under way. */
  const [liveKey, setLiveKey] = useState<string>();
  const live = liveKey === key;
  const loaded = useLoaded(
    key,
    async (signal) => {
      const trace = await load(signal);
      setLiveKey(isUnderWay(trace) ? key : undefined);
      return trace;
    },
    { everyMs: live ? LIVE_MS : undefined },
  );
  return { loaded, live };
}

/** Whether more is to come: spans of a trace that is not complete, or scores. */
function isUnderWay(trace: TraceNode): boolean {
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
