import { useState } from 'preact/hooks';
import type { Health } from '../../core/health/health-score.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { post } from '../api/client.ts';
import { numberText } from '../kit/formatting.ts';
import { toHref } from '../kit/location.ts';
import { Failure } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { scorerPath } from './scorer-calls.ts';
import { appendSource, type Language } from './source-language.ts';
import { hasFailed, type TrialOutcome } from './trial.ts';
import { HEALTH_WORDS } from './words.ts';

interface SaveCodeProps {
  readonly scorer: Scorer;
  readonly source: string;
  readonly language: Language;
  /** Outcome of the trial of this very source. */
  readonly outcome: TrialOutcome | undefined;
  /** Of the rows that it was tried on. */
  readonly dataset_id: string | undefined;
  /** Whether the source differs from the latest version's. */
  readonly isNew: boolean;
  readonly onSaved: (source: string) => void;
}

interface Saved {
  readonly version: ScorerVersion;
  readonly health: Health | undefined;
  readonly dataset_id: string | undefined;
}

/** Saves the source as the next version, with the trial as its evidence; after one on dataset rows, its health is measured. */
export function SaveCode({ scorer, source, language, outcome, dataset_id, isNew, onSaved }: SaveCodeProps) {
  const [saved, setSaved] = useState<Saved>();
  const failed = outcome ? outcome.job.status !== 'completed' || outcome.records.some(hasFailed) : false;
  const save = useAction(async () => {
    const form = new FormData();
    appendSource(form, source, language);
    if (outcome?.job.status === 'completed') {
      form.append('validation_result', '{}');
      form.append('validation_id', outcome.run.run_id);
    }
    const version = await post<ScorerVersion>(`${scorerPath(scorer.id)}/version/code`, form);
    setSaved({ version, health: undefined, dataset_id: undefined });
    onSaved(source);
    if (!outcome || !dataset_id || !scorer.output_type) return;
    setSaved({ version, health: await measure(scorer, outcome), dataset_id });
  });
  const label = failed ? 'Save although it failed' : 'Save as new version';
  return (
    <>
      <button
        type="button"
        class={`btn btn-sm ${failed ? 'btn-outline-danger' : 'btn-primary'}`}
        disabled={save.busy || !isNew}
        title={outcome ? undefined : 'Code that was not tested here is tested on samples, and refused if it fails on them.'}
        onClick={() => void save.run()}
      >
        {label}
      </button>
      <Failure error={save.error} />
      {saved && <SavedNote scorer={scorer} saved={saved} />}
    </>
  );
}

const measure = (scorer: Scorer, { run }: TrialOutcome): Promise<Health> =>
  post<Health>(`/projects/${run.project_id}/metrics-testing/${run.run_id}/health-score`, {
    scorer_id: scorer.id,
    output_type: scorer.output_type,
  });

function SavedNote({ scorer, saved: { version, health, dataset_id } }: { scorer: Scorer; saved: Saved }) {
  const path = scorerPath(scorer.id);
  return (
    <p class="w-100 mb-0" role="status">
      Saved as{' '}
      <a class="text-decoration-underline" href={toHref(`${path}/versions?version=${version.version}`)}>
        version {version.version}
      </a>
      .
      {health?.health_score_type && health.value !== null && (
        <>
          {' '}
          <a class="text-decoration-underline" href={toHref(`${path}/health?dataset=${dataset_id}`)}>
            {HEALTH_WORDS[health.health_score_type]} {numberText(health.value)}
          </a>{' '}
          over {health.joined_rows} rows.
        </>
      )}
      {health && health.value === null && ' Its health cannot be told: the rows have no ground truth that fits.'}
    </p>
  );
}
