import type { Experiment } from '../../core/experiments/experiment.ts';
import { ChangedText } from '../kit/changed-text.tsx';
import { differingSettings } from './settings.ts';

/** Settings that differ. */
export function CompareSettings({ baseline, candidate }: { baseline: Experiment; candidate: Experiment }) {
  const settings = differingSettings(baseline, candidate);
  return (
    <section aria-label="Settings that differ" class="mb-3">
      <h2 class="h6">Settings that differ</h2>
      {settings.length === 0 && <p class="text-body-secondary">None of those that are known.</p>}
      {settings.map(({ name, before, after }) => (
        <div key={name} class="mb-1 setting">
          <div class="small text-body-secondary">{name}</div>
          <ChangedText before={before} after={after} labels={['Baseline', 'Candidate']} />
        </div>
      ))}
    </section>
  );
}
