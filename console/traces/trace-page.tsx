import { useMemo } from 'preact/hooks';
import { get } from '../api/client.ts';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { type Step, type TraceNode, toSteps } from './steps/step.ts';
import { TraceHead } from './trace-head.tsx';
import { stepNamed, TraceParts, useRunOf } from './trace-parts.tsx';
import { useLiveTrace } from './use-live-trace.ts';

/** A trace: its steps in their order and in time, and beside them the step that is looked at. */
export function TracePage({ params }: { params: Record<string, string> }) {
  const project_id = params.project_id!;
  const trace_id = params.trace_id!;
  const { loaded, live } = useLiveTrace(`trace ${project_id} ${trace_id}`, (signal) =>
    get<TraceNode>(`/projects/${project_id}/traces/${trace_id}`, { signal }),
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
