import '../styles/scorers.css';
import { useState } from 'preact/hooks';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { patch, post, remove } from '../api/client.ts';
import { CodeEditor } from '../kit/code/code-editor.tsx';
import { ConfirmButton } from '../kit/confirm.tsx';
import { Crumbs } from '../kit/crumbs.tsx';
import { FormDialog } from '../kit/form-dialog.tsx';
import { navigate } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { CodeWorkbench } from './code-workbench.tsx';
import { CompareView } from './comparison/compare-view.tsx';
import { DriftView } from './drift-view.tsx';
import { HealthView } from './health-view.tsx';
import { JudgeWorkbench } from './judge-workbench.tsx';
import { KindWorkbench } from './kind-workbench.tsx';
import { Overview } from './overview.tsx';
import { getCode, getScorer, listLanguages, scorerPath } from './scorer-calls.ts';
import { readScorerFields, ScorerForm } from './scorer-form.tsx';
import { appendSource, pickLanguage } from './source-language.ts';
import { VersionsView } from './versions-view.tsx';

/** One scorer: what it is, its versions, where the next one is written, how healthy they are, how far it drifts. */
export function ScorerPage({ params }: { params: Record<string, string> }) {
  const scorer_id = params.scorer_id!;
  const part = params.part ?? '';
  const loaded = useLoaded(`scorer ${scorer_id}`, (signal) => getScorer(scorer_id, signal));
  const path = scorerPath(scorer_id);
  return (
    <Show loaded={loaded}>
      {(scorer) => (
        <>
          <Crumbs crumbs={[{ label: 'Scorers', path: '/scorers' }]} title={scorer.label}>
            {scorer.scorer_type !== 'preset' && <Actions scorer={scorer} onChanged={loaded.reload} />}
          </Crumbs>
          <Tabs
            label={`Parts of ${scorer.label}`}
            // A comparison of runs is reached from the health, and is no tab of its own.
            active={part === '' ? path : `${path}/${part === 'compare' ? 'health' : part}`}
            tabs={[
              { label: 'Overview', path },
              { label: 'Versions', path: `${path}/versions` },
              ...editorTab(scorer),
              { label: 'Health', path: `${path}/health` },
              { label: 'Drift', path: `${path}/drift` },
            ]}
          />
          <Part part={part} scorer={scorer} onChanged={loaded.reload} />
        </>
      )}
    </Show>
  );
}

type Editor = 'code' | 'judge' | 'preset code' | 'form';

const EDITOR_LABELS: Readonly<Record<Editor, string>> = {
  code: 'Code',
  judge: 'Judge',
  'preset code': 'Code',
  form: 'Definition',
};

/** Editor of its versions; undefined for presets of kinds that have no view of their own here. */
function getEditor({ scorer_type, model_type }: Scorer): Editor | undefined {
  if (scorer_type === 'code') return 'code';
  if (scorer_type === 'llm') return 'judge';
  if (scorer_type !== 'preset') return 'form';
  if (model_type === 'code') return 'preset code';
  return model_type === 'llm' ? 'judge' : undefined;
}

function editorTab(scorer: Scorer): { label: string; path: string }[] {
  const editor = getEditor(scorer);
  return editor ? [{ label: EDITOR_LABELS[editor], path: `${scorerPath(scorer.id)}/editor` }] : [];
}

function Part({ part, scorer, onChanged }: { part: string; scorer: Scorer; onChanged: () => void }) {
  if (part === '') return <Overview scorer={scorer} />;
  if (part === 'versions') return <VersionsView scorer={scorer} onChanged={onChanged} />;
  if (part === 'health') return <HealthView scorer={scorer} />;
  if (part === 'compare') return <CompareView scorer={scorer} />;
  if (part === 'drift') return <DriftView scorer={scorer} />;
  const editor = part === 'editor' ? getEditor(scorer) : undefined;
  if (editor === 'code') return <CodeWorkbench scorer={scorer} onSaved={onChanged} />;
  if (editor === 'judge') return <JudgeWorkbench scorer={scorer} onSaved={onChanged} />;
  if (editor === 'preset code') return <PresetCode scorer={scorer} />;
  if (editor === 'form') return <KindWorkbench scorer={scorer} onSaved={onChanged} />;
  return <Empty title="Page not found" />;
}

function Actions({ scorer, onChanged }: { scorer: Scorer; onChanged: () => void }) {
  const [editing, setEditing] = useState(false);
  const path = scorerPath(scorer.id);
  return (
    <>
      <button type="button" class="btn btn-sm btn-outline-secondary" aria-haspopup="dialog" onClick={() => setEditing(true)}>
        Edit
      </button>
      <ConfirmButton
        label="Delete"
        question={`Delete ${scorer.name} with all its versions? It scores nowhere any more; the scores it gave stay.`}
        onConfirm={async () => {
          await remove(path);
          navigate('/scorers');
        }}
      />
      {editing && (
        <FormDialog
          title="Edit scorer"
          verb="Save"
          onClose={() => setEditing(false)}
          onSubmit={async (values) => {
            await patch<Scorer>(path, readScorerFields(values));
            onChanged();
          }}
        >
          <ScorerForm scorer_type={scorer.scorer_type} scorer={scorer} />
        </FormDialog>
      )}
    </>
  );
}

/** The program of a preset: it is read here, and changed in a copy of one's own. */
function PresetCode({ scorer }: { scorer: Scorer }) {
  const loaded = useLoaded(`preset code ${scorer.id}`, (signal) => getCode(scorer.id, undefined, signal));
  const copy = useAction(async (source: string) => {
    const { description, tags, output_type, scoreable_node_types, ground_truth, required_scorers } = scorer;
    const facts = { description, tags, output_type, scoreable_node_types, ground_truth, required_scorers };
    const { id } = await post<Scorer>('/scorers', { ...facts, name: `${scorer.name}_copy`, scorer_type: 'code' });
    const form = new FormData();
    appendSource(form, source, pickLanguage(await listLanguages(), asBuiltIn(scorer.latest_version).code_language));
    await post(`${scorerPath(id)}/version/code`, form);
    navigate(`${scorerPath(id)}/editor`);
  });
  return (
    <Show loaded={loaded}>
      {(source) => (
        <>
          <div class="d-flex justify-content-end mb-2">
            <button type="button" class="btn btn-sm btn-primary" disabled={copy.busy} onClick={() => void copy.run(source)}>
              Copy to a scorer of my own
            </button>
          </div>
          <Failure error={copy.error} />
          <CodeEditor label={`Code of ${scorer.name}`} text={source} language={asBuiltIn(scorer.latest_version).code_language} />
        </>
      )}
    </Show>
  );
}
