import { Empty } from '../../kit/notices.tsx';
import type { Candidate } from './candidates.ts';

interface RunChoiceProps {
  readonly candidates: readonly Candidate[];
  /** Ids in the order in which they were chosen. */
  readonly chosen: readonly string[];
  readonly onChoose: (run_ids: readonly string[]) => void;
}

const MOST = 10;

/** Chooses the runs to compare. */
export function RunChoice({ candidates, chosen, onChoose }: RunChoiceProps) {
  if (candidates.length === 0)
    return (
      <Empty title="No runs over this dataset in this project">
        <p class="mb-0">Run an experiment over the dataset with this scorer enabled, or try a version on its rows.</p>
      </Empty>
    );
  const toggle = (run_id: string) =>
    onChoose(chosen.includes(run_id) ? chosen.filter((one) => one !== run_id) : [...chosen, run_id]);
  const isFull = chosen.length >= MOST;
  return (
    <fieldset class="mb-3">
      <legend class="h6">Runs</legend>
      {candidates.map(({ run_id, label }) => (
        <div key={run_id} class="form-check">
          <input
            id={`run-${run_id}`}
            class="form-check-input"
            type="checkbox"
            checked={chosen.includes(run_id)}
            disabled={isFull && !chosen.includes(run_id)}
            onChange={() => toggle(run_id)}
          />
          <label class="form-check-label" for={`run-${run_id}`}>
            {label}
          </label>
        </div>
      ))}
    </fieldset>
  );
}
