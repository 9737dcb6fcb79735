import { useMemo, useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { ApiFailure } from '../api/failure.ts';
import { BarChoice, worded } from '../kit/choice.tsx';
import { CodeEditor } from '../kit/code-editor.tsx';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { NodeTypeChoice } from './node-type-choice.tsx';
import { SaveCode } from './save-code.tsx';
import { getCode } from './scorer-calls.ts';
import { FIRST_SOURCE, getLanguage, type Language } from './source-language.ts';
import { type CodeCandidate, startCodeTrial, toFaults, toTrialMessages } from './trial.ts';
import { placeIn, TrialPlaceChooser } from './trial-place.tsx';
import { TrialResults } from './trial-results.tsx';
import { useTrial } from './use-trial.ts';

interface WorkbenchProps {
  readonly scorer: Scorer;
  readonly onSaved: () => void;
}

const METRIC = 'registered_scorer_validation';
const LIMITS = ['10', '25', '50', '100'].map((id) => ({ id, label: `${id} records` }));
const LANGUAGES = worded<Language>({ javascript: 'JavaScript', typescript: 'TypeScript' });

/** Where the next version of a code scorer is written, tried on live records or dataset rows, and saved. */
export function CodeWorkbench({ scorer, onSaved }: WorkbenchProps) {
  const loaded = useLoaded(`latest code ${scorer.id}`, (signal) => latestCode(scorer.id, signal));
  return <Show loaded={loaded}>{(latest) => <Bench scorer={scorer} latest={latest} onSaved={onSaved} />}</Show>;
}

/** What is there to go on from; null for a scorer without versions. */
async function latestCode(scorer_id: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await getCode(scorer_id, undefined, signal);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

function Bench({ scorer, latest, onSaved }: WorkbenchProps & { readonly latest: string | null }) {
  const [view] = useView();
  const [saved, setSaved] = useState(latest);
  const [source, setSource] = useState(latest ?? FIRST_SOURCE);
  const [language, setLanguage] = useState<Language>(getLanguage(source));
  const [types, setTypes] = useState<readonly string[]>(scorer.scoreable_node_types ?? ['llm']);
  const [limit, setLimit] = useState(25);
  const [tried, setTried] = useState<CodeCandidate>();
  const trial = useTrial();
  const place = placeIn(view);
  const faults = useMemo(() => (trial.outcome ? toFaults(toTrialMessages(trial.outcome)) : []), [trial.outcome]);
  const tryIt = (): void => {
    if (!place) return;
    const candidate = { source, language, scoreable_node_types: types, required_scorers: scorer.required_scorers ?? [], limit };
    setTried(candidate);
    void trial.run(() => startCodeTrial(candidate, place), METRIC, types);
  };
  const isTried = tried?.source === source && tried.language === language;
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
        <TrialPlaceChooser withRows />
        <NodeTypeChoice types={types} onChoose={setTypes} />
        <BarChoice label="How many" choices={LIMITS} value={String(limit)} onChoose={(chosen) => setLimit(Number(chosen))} />
        <button type="button" class="btn btn-sm btn-outline-secondary" disabled={!place || trial.busy} onClick={tryIt}>
          Try it
        </button>
        <div class="ms-auto">
          <BarChoice label="Language" choices={LANGUAGES} value={language} onChoose={setLanguage} />
        </div>
        <SaveCode
          scorer={scorer}
          source={source}
          language={language}
          outcome={isTried ? trial.outcome : undefined}
          dataset_id={place?.kind === 'rows' ? place.dataset_id : undefined}
          isNew={source !== saved}
          onSaved={(one) => {
            setSaved(one);
            onSaved();
          }}
        />
      </div>
      <CodeEditor label={`Code of ${scorer.name}`} text={source} onChange={setSource} faults={faults} />
      <div class="mt-3">
        <TrialResults trial={trial} project_id={place?.kind === 'records' ? place.project_id : undefined} />
      </div>
    </>
  );
}
