import { useMemo, useState } from 'preact/hooks';
import type { CodeLanguageView } from '../../core/scorers/languages/code-language-view.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { ApiFailure } from '../api/failure.ts';
import { BarChoice } from '../kit/choice.tsx';
import { CodeEditor } from '../kit/code/code-editor.tsx';
import { useView } from '../kit/location.ts';
import { Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { NodeTypeChoice } from './node-type-choice.tsx';
import { SaveCode } from './save-code.tsx';
import { getCode, listLanguages } from './scorer-calls.ts';
import { pickLanguage } from './source-language.ts';
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

/** Where the next version of a code scorer is written, tried on live records or dataset rows, and saved. */
export function CodeWorkbench({ scorer, onSaved }: WorkbenchProps) {
  const loaded = useLoaded(`latest code ${scorer.id}`, async (signal) => {
    const [latest, languages] = await Promise.all([latestCode(scorer.id, signal), listLanguages(signal)]);
    return { latest, languages };
  });
  return <Show loaded={loaded}>{(known) => <Bench scorer={scorer} {...known} onSaved={onSaved} />}</Show>;
}

/** Source of the latest version; null for a scorer without versions. */
async function latestCode(scorer_id: string, signal: AbortSignal): Promise<string | null> {
  try {
    return await getCode(scorer_id, undefined, signal);
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  }
}

interface BenchProps extends WorkbenchProps {
  readonly latest: string | null;
  readonly languages: readonly CodeLanguageView[];
}

function Bench({ scorer, latest, languages, onSaved }: BenchProps) {
  const [view] = useView();
  const [saved, setSaved] = useState(latest);
  const [language, setLanguage] = useState(() => pickLanguage(languages, asBuiltIn(scorer.latest_version).code_language));
  const [source, setSource] = useState(latest ?? language.starter ?? '');
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
  const choose = (id: string): void => {
    const next = pickLanguage(languages, id);
    setLanguage(next);
    // An unedited starter is replaced by that of the other language.
    if (source === (language.starter ?? '')) setSource(next.starter ?? '');
  };
  const choices = languages.some(({ id }) => id === language.id) ? languages : [...languages, language];
  const isTried = tried?.source === source && tried.language.id === language.id;
  return (
    <>
      <div class="d-flex flex-wrap gap-2 align-items-center mb-2">
        <TrialPlaceChooser withRows />
        <NodeTypeChoice types={types} onChoose={setTypes} />
        <BarChoice label="How many" choices={LIMITS} value={String(limit)} onChoose={(chosen) => setLimit(Number(chosen))} />
        <button type="button" class="btn btn-sm btn-outline-secondary" disabled={!place || trial.busy} onClick={tryIt}>
          Test
        </button>
        <div class="ms-auto">
          <BarChoice label="Language" choices={choices} value={language.id} onChoose={choose} />
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
      <CodeEditor label={`Code of ${scorer.name}`} text={source} language={language.id} onChange={setSource} faults={faults} />
      <div class="mt-3">
        <TrialResults trial={trial} project_id={place?.kind === 'records' ? place.project_id : undefined} />
      </div>
    </>
  );
}
