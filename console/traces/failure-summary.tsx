import { useMemo } from 'preact/hooks';
import { ScoreChip } from '../scores/score-chip.tsx';
import { LongText } from './long-text.tsx';
import type { Step } from './steps/step.ts';
import { type BadScore, findFailure, listReasons } from './why-failed.ts';

interface FailureSummaryProps {
  readonly steps: readonly Step[];
  readonly onSelect: (step: Step) => void;
}

/** Why a trace failed, above all else of it: the span in which it began, and the scores that say no, with their explanations. */
export function FailureSummary({ steps, onSelect }: FailureSummaryProps) {
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
        </div>
      )}
      {scores.map((score) => (
        <LowScore key={`${score.step.record.id} ${score.name}`} score={score} onSelect={onSelect} />
      ))}
    </section>
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
