import { useMemo } from 'preact/hooks';
import { toHref } from '../kit/location.ts';
import { ScoreChip } from '../scores/score-chip.tsx';
import { LongText } from './long-text.tsx';
import type { RunPlace } from './run-place.ts';
import type { Step } from './steps/step.ts';
import { type BadScore, findFailure, listReasons, toSimilarPath } from './why-failed.ts';

interface FailureSummaryProps {
  readonly steps: readonly Step[];
  readonly run: RunPlace | undefined;
  readonly onSelect: (step: Step) => void;
}

/** Why a trace failed, above all else of it: the span in which it began, and the scores that say no, with their explanations. */
export function FailureSummary({ steps, run, onSelect }: FailureSummaryProps) {
  const failure = useMemo(() => findFailure(steps), [steps]);
  if (!failure) return null;
  const { first, scores } = failure;
  return (
    <section class="failure-summary" aria-label="Why it failed">
      <h2 class="h6 mb-1">Why it failed</h2>
      {first && (
        <div>
          <StepButton step={first} onSelect={onSelect} /> ended with status {first.record.status_code}
          {listReasons(first).map((reason, at) => (
            <div key={at} class="failure-reason" dir="auto">
              {reason}
            </div>
          ))}
          {run && <NextActions step={first} run={run} />}
        </div>
      )}
      {scores.map((score) => (
        <LowScore key={`${score.step.record.id} ${score.name}`} score={score} onSelect={onSelect} />
      ))}
    </section>
  );
}

/** Steps from a failure on: to others of its kind, and to the call itself where it can be tried again. */
function NextActions({ step, run }: { step: Step; run: RunPlace }) {
  const { id, type, project_id } = step.record;
  const similar = toSimilarPath(step, run);
  return (
    <div class="d-flex flex-wrap gap-3">
      {similar && <a href={toHref(similar)}>Similar failures</a>}
      {type === 'llm' && <a href={toHref(`/projects/${project_id}/playground?span=${id}`)}>Open in playground</a>}
    </div>
  );
}

const StepButton = ({ step, onSelect }: { step: Step; onSelect: (step: Step) => void }) => (
  <button type="button" class="btn btn-link p-0 align-baseline" onClick={() => onSelect(step)}>
    {step.record.name || 'unnamed'}
  </button>
);

const LowScore = ({ score: { step, name, info }, onSelect }: { score: BadScore; onSelect: (step: Step) => void }) => {
  const why = info.explanation ?? info.message;
  return (
    <div>
      <ScoreChip name={name} info={info} /> on <StepButton step={step} onSelect={onSelect} />
      {why && <LongText text={why} />}
    </div>
  );
};
