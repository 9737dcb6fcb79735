import type { Scorer } from '../../core/scorers/scorer-view.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { post } from '../api/client.ts';
import { CodeEditor } from '../kit/code-editor.tsx';
import { navigate } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { getCode, listLanguages, scorerPath } from './scorer-calls.ts';
import { appendSource, pickLanguage } from './source-language.ts';

/** The program of a preset: it is read here, and changed in a copy of one's own. */
export function PresetCode({ scorer }: { scorer: Scorer }) {
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
          <CodeEditor label={`Code of ${scorer.name}`} text={source} />
        </>
      )}
    </Show>
  );
}
