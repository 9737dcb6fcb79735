import '../styles/traces.css';
import { useLoaded } from '../kit/use-loaded.ts';
import { FailureSummary } from './failure-summary.tsx';
import { findRun, type RunPlace } from './run-place.ts';
import type { Step, TraceNode } from './steps/step.ts';
import { StepPane } from './steps/step-pane.tsx';
import { StepTree } from './steps/step-tree.tsx';

interface TracePartsProps {
  readonly steps: readonly Step[];
  readonly selected: Step;
  readonly run: RunPlace | undefined;
  readonly onSelect: (step: Step) => void;
}

/** Why a trace failed, its steps in their order and in time, and the step that is looked at. */
export const TraceParts = ({ steps, selected, run, onSelect }: TracePartsProps) => (
  <>
    <FailureSummary steps={steps} run={run} onSelect={onSelect} />
    <div class="trace-split">
      <StepTree steps={steps} selected={selected} onSelect={onSelect} />
      <StepPane key={selected.record.id} step={selected} run={run} />
    </div>
  </>
);

/** The run of a trace, once it is known. */
export function useRunOf({ project_id, run_id }: TraceNode): RunPlace | undefined {
  return useLoaded(`run ${project_id} ${run_id}`, (signal) => findRun(project_id, run_id, signal)).value;
}

/** The trace itself where no step, or one that is not there, is named. */
export const stepNamed = (steps: readonly Step[], id: string | null): Step =>
  steps.find(({ record }) => record.id === id) ?? steps[0]!;
