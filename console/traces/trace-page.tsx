import { useMemo, useState } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { type Step, type TraceNode, toSteps } from './steps/step.ts';
import { TraceHead } from './trace-head.tsx';
import { stepNamed, TraceParts, useRunOf } from './trace-parts.tsx';

const LIVE_MS = 5000;

/** A trace: its steps in their order and in time, and beside them the step that is looked at. */
export function TracePage({ params }: { params: Record<string, string> }) {
  const project_id = params.project_id!;
  const trace_id = params.trace_id!;
  const [live, setLive] = useState(false);
  const loaded = useLoaded(
    `trace ${project_id} ${trace_id}`,
    async (signal) => {
      const trace = await get<TraceNode>(`/projects/${project_id}/traces/${trace_id}`, { signal });
      setLive(isUnderWay(trace));
      return trace;
    },
    { everyMs: live ? LIVE_MS : undefined },
  );
  return <Show loaded={loaded}>{(trace) => <TraceView key={trace.id} trace={trace} live={live} />}</Show>;
}

function TraceView({ trace, live }: { trace: TraceNode; live: boolean }) {
  const [view, change] = useView();
  const steps = useMemo(() => toSteps(trace), [trace]);
  const run = useRunOf(trace);
  const select = (step: Step): void => change({ span: step.depth === 0 ? undefined : step.record.id }, 'unnoticed');
  const selected = stepNamed(steps, view.get('span'));
  return (
    <div class="trace-view">
      <TraceHead trace={steps[0]!} run={run} live={live} />
      <TraceParts steps={steps} selected={selected} run={run} onSelect={select} />
    </div>
  );
}

/** A longer trace is not fetched again and again: that is left to whoever looks at it. */
const MAX_STEPS = 1000;

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
