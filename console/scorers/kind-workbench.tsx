import { useState } from 'preact/hooks';
import type { ScorerKindView } from '../../core/scorers/kinds/scorer-kind-view.ts';
import type { Scorer } from '../../core/scorers/scorer-view.ts';
import type { ScorerVersion } from '../../core/scorers/versions/scorer-version.ts';
import { asBuiltIn } from '../api/built-in-versions.ts';
import { post } from '../api/client.ts';
import { Field } from '../kit/field.tsx';
import { toHref } from '../kit/location.ts';
import { Empty, Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { SettingsInputs } from '../settings/settings-inputs.tsx';
import { type SettingsField, type SettingsSchema, toSettingsFields } from '../settings/settings-schema.ts';
import { readSettings } from '../settings/settings-values.ts';
import { listKinds, scorerPath } from './scorer-calls.ts';

interface WorkbenchProps {
  readonly scorer: Scorer;
  readonly onSaved: () => void;
}

/** Where versions are written of kinds that have no view of their own: a form that is made from the schema of the kind. */
export function KindWorkbench({ scorer, onSaved }: WorkbenchProps) {
  const loaded = useLoaded('scorer kinds', listKinds);
  return (
    <Show loaded={loaded}>
      {(kinds) => {
        const kind = kinds.find(({ scorer_types }) => scorer_types.includes(scorer.scorer_type));
        if (kind) return <KindForm scorer={scorer} kind={kind} onSaved={onSaved} />;
        return <Empty title="The plugin of this kind of scorer is not installed: there can be no new version." />;
      }}
    </Show>
  );
}

function KindForm({ scorer, kind, onSaved }: WorkbenchProps & { readonly kind: ScorerKindView }) {
  const [saved, setSaved] = useState<ScorerVersion>();
  const fields = versionFields(kind);
  const path = `${scorerPath(scorer.id)}/version/${kind.paths[0]}`;
  const save = useAction(async (values: FormData) => {
    setSaved(undefined);
    const given = readSettings(fields, (name) => (values.has(name) ? String(values.get(name)) : null));
    setSaved(await post<ScorerVersion>(path, kind.is_file ? fileForm(given, values.get('#file')) : given));
    onSaved();
  });
  return (
    <form
      aria-label={`Next version of ${scorer.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run(new FormData(event.currentTarget));
      }}
    >
      <p class="text-body-secondary">{kind.summary}</p>
      {kind.is_file && (
        <Field label="File">{(id) => <input class="form-control" type="file" id={id} name="#file" required />}</Field>
      )}
      <SettingsInputs fields={fields} known={knownOf(scorer.latest_version)} />
      <Failure error={save.error} />
      <button type="submit" class="btn btn-sm btn-primary" disabled={save.busy}>
        Save as new version
      </button>
      {saved && (
        <span class="ms-2" role="status">
          Saved as{' '}
          <a class="text-decoration-underline" href={toHref(`${scorerPath(scorer.id)}/versions?version=${saved.version}`)}>
            version {saved.version}
          </a>
          .
        </span>
      )}
    </form>
  );
}

/** Input fields of a version: the definition, or the fields beside the uploaded file. */
const versionFields = ({ form_schema, definition_schema }: ScorerKindView): SettingsField[] =>
  toSettingsFields((form_schema ?? definition_schema) as SettingsSchema);

/** Values of the latest version, from which the next one starts. */
const knownOf = (version: Scorer['latest_version']): Readonly<Record<string, unknown>> => ({
  ...asBuiltIn(version).finetuned_scorer,
  ...version?.definition,
});

/** Fields of the form have names of their own; `#file` is none of them. */
function fileForm(given: Readonly<Record<string, unknown>>, file: FormDataEntryValue | null): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(given)) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  if (file !== null) form.append('file', file);
  return form;
}
