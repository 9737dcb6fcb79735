import { useState } from 'preact/hooks';
import type { LlmIntegrations } from '../../core/models/llm-integration.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { get, post } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { toHref, useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { AutogenButton } from './autogen.tsx';
import { type JudgeDraft, settingsIn, toJudgeDraft, trialBody, versionBody } from './judge-draft.ts';
import { JudgeFields } from './judge-fields.tsx';
import { scorerPath } from './scorer-calls.ts';
import { placeIn, TrialPlaceChooser } from './trial-place.tsx';
import { TrialResults } from './trial-results.tsx';
import { useTrial } from './use-trial.ts';

interface WorkbenchProps {
  readonly scorer: Scorer;
  readonly onSaved: () => void;
}

const METRIC = 'generated_scorer_validation';
const LIMIT = 5;

/** Where the next version of a judge is written, tried on live records, and saved. */
export function JudgeWorkbench({ scorer, onSaved }: WorkbenchProps) {
  const loaded = useLoaded(`latest judge ${scorer.id}`, async (signal) => {
    const [version, integrations] = await Promise.all([
      latestVersion(scorer.id, signal),
      get<LlmIntegrations>('/llm_integrations', { signal }),
    ]);
    const models = Object.values(integrations).flatMap(({ scorer_models }) => scorer_models);
    return { version, models: [...new Set(models)] };
  });
  return (
    <Show loaded={loaded}>
      {({ version, models }) => <Bench scorer={scorer} version={version} models={models} onSaved={onSaved} />}
    </Show>
  );
}

async function latestVersion(scorer_id: string, signal: AbortSignal): Promise<ScorerVersion | null> {
  try {
    return await get<ScorerVersion>(`${scorerPath(scorer_id)}/version`, { signal });
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

interface BenchProps extends WorkbenchProps {
  readonly version: ScorerVersion | null;
  readonly models: readonly string[];
}

function Bench({ scorer, version, models, onSaved }: BenchProps) {
  const [view] = useView();
  const [draft, setDraft] = useState<JudgeDraft>(() => getStart(scorer, version, models));
  const [saved, setSaved] = useState<ScorerVersion>();
  const trial = useTrial();
  const place = placeIn(view);
  const on = place?.kind === 'records' ? place : undefined;
  const template = asBuiltIn(version).chain_poll_template;
  const isPreset = scorer.scorer_type === 'preset';
  const tryIt = async (): Promise<void> => {
    if (!on) return;
    const terms = { log_stream_id: on.log_stream_id, limit: LIMIT, ground_truth: scorer.ground_truth === true };
    const start = async () => {
      const started = await post<{ metrics_experiment_id: string }>(
        '/scorers/llm/validate/log_record',
        trialBody(draft, template, terms),
      );
      return { project_id: on.project_id, run_id: started.metrics_experiment_id };
    };
    await trial.run(start, METRIC, draft.scoreable_node_types);
  };
  const save = useAction(async () => {
    const body = isPreset ? settingsIn(draft) : versionBody(draft, template);
    setSaved(await post<ScorerVersion>(`${scorerPath(scorer.id)}/version/${isPreset ? 'preset' : 'llm'}`, body));
    onSaved();
  });
  return (
    <>
      {models.length === 0 && <NoModels />}
      <div class="d-flex flex-wrap gap-2 align-items-center mb-3">
        <TrialPlaceChooser withRows={false} />
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={!on || trial.busy}
          title={`Asks the model about the newest ${LIMIT} records`}
          onClick={() => void tryIt()}
        >
          Test on {LIMIT} traces
        </button>
        <span class="ms-auto" />
        {!isPreset && <AutogenButton scorer={scorer} draft={draft} onWritten={(written) => setDraft({ ...draft, ...written })} />}
        <button type="button" class="btn btn-sm btn-primary" disabled={save.busy} onClick={() => void save.run()}>
          Save as new version
        </button>
      </div>
      <Failure error={save.error} />
      {saved && (
        <p role="status">
          Saved as{' '}
          <a class="text-decoration-underline" href={toHref(`${scorerPath(scorer.id)}/versions?version=${saved.version}`)}>
            version {saved.version}
          </a>
          .
        </p>
      )}
      <TrialResults trial={trial} project_id={on?.project_id} />
      <JudgeFields draft={draft} models={models} isPreset={isPreset} onChange={(changed) => setDraft({ ...draft, ...changed })} />
    </>
  );
}

/** With a model that the caller has, where nothing names one. */
function getStart(scorer: Scorer, version: ScorerVersion | null, models: readonly string[]): JudgeDraft {
  const draft = toJudgeDraft(scorer, version);
  return { ...draft, model_name: draft.model_name || (models[0] ?? '') };
}

const NoModels = () => (
  <div class="alert alert-warning py-2">
    No model is set up that could judge.{' '}
    <a class="alert-link text-decoration-underline" href={toHref('/integrations')}>
      Set up an integration
    </a>{' '}
    first; a version can be saved before.
  </div>
);
