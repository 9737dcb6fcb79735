import type { Experiment } from '../../core/experiments/experiment.ts';
import { BarChoice, named } from '../kit/choice.tsx';
import { toHref, type ViewChanges } from '../kit/location.ts';

interface CompareSidesProps {
  readonly experiments: readonly Experiment[];
  readonly candidate: Experiment;
  readonly onChange: (changes: ViewChanges) => void;
}

/** Choice of the baseline and the candidate; of several candidates one at a time. */
export function CompareSides({ experiments, candidate, onChange }: CompareSidesProps) {
  const [baseline, ...candidates] = experiments;
  const turned = [candidate, ...experiments.filter((one) => one !== candidate)];
  const start = { candidate: undefined, from: undefined };
  return (
    <div class="d-flex flex-wrap gap-3 align-items-center mb-3">
      <span>
        <span class="text-body-secondary">Baseline</span> <Named experiment={baseline!} />
      </span>
      <span>
        <span class="text-body-secondary">Candidate</span> <Named experiment={candidate} />
      </span>
      {candidates.length > 1 && (
        <BarChoice
          label="Which candidate"
          choices={candidates.map(named)}
          value={candidate.id}
          onChoose={(id) => onChange({ ...start, candidate: id })}
        />
      )}
      <button
        type="button"
        class="btn btn-sm btn-outline-secondary"
        onClick={() => onChange({ ...start, ids: turned.map(({ id }) => id).join(','), candidate: baseline!.id })}
      >
        Swap
      </button>
    </div>
  );
}

const Named = ({ experiment: { id, project_id, name } }: { experiment: Experiment }) => (
  <a href={toHref(`/projects/${project_id}/experiments/${id}`)}>
    <strong>{name}</strong>
  </a>
);
