import { useState } from 'preact/hooks';
import type { JsonObject } from '../../core/kernel/json.ts';
import type { Project } from '../../core/projects/project.ts';
import type { Template } from '../../core/prompts/template.ts';
import { get, post } from '../api/client.ts';
import { BarChoice, named } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { useProject } from '../projects/use-project.ts';
import { promptText, type TemplatePage } from '../prompts/prompts.ts';
import '../styles/playground.css';
import { RenderedRows } from './rendered-rows.tsx';
import { useRun } from './use-run.ts';
import { ValueFields } from './value-fields.tsx';
import {
  copyVariant,
  type LoggedCall,
  MAX_VARIANTS,
  newVariant,
  toCallVariant,
  toRequest,
  toVariant,
  type Variant,
} from './variant.ts';
import { VariantCard } from './variant-card.tsx';

/** Where variants of a prompt are tried side by side, from nothing, from a version of a prompt or from a call of a model. */
export const PlaygroundPage = ({ params }: { params: Record<string, string> }) => (
  <Show loaded={useProject(params.project_id!)}>{(project) => <Begun project={project} />}</Show>
);

function Begun({ project }: { project: Project }) {
  const [view] = useView();
  const [span, template] = [view.get('span'), view.get('template')];
  const loaded = useLoaded(`playground ${project.id} ${span} ${template}`, async (signal): Promise<Beginning> => {
    if (span !== null)
      return { first: toCallVariant(await get<LoggedCall>(`/projects/${project.id}/spans/${span}`, { signal })) };
    if (template !== null) return ofTemplate(await get<Template>(`/templates/${template}`, { signal }));
    return { first: newVariant() };
  });
  return (
    <>
      <ProjectHead project={project} active={`/projects/${project.id}/playground`}>
        <PromptChoice chosen={template} />
      </ProjectHead>
      <Show loaded={loaded}>
        {(begun: Beginning) => <Playground key={begun.first.key} project_id={project.id} template_id={template} {...begun} />}
      </Show>
    </>
  );
}

const NONE = { id: '', label: 'Start from a prompt' };

/** Begins anew with the selected version of another prompt. */
function PromptChoice({ chosen }: { chosen: string | null }) {
  const [, change] = useView();
  const { value: templates = [] } = useLoaded('prompts to start from', async (signal) => {
    const byName = { sort: { name: 'name', ascending: true } };
    return (await post<TemplatePage>('/templates/query', byName, { query: { limit: 1000 }, signal })).templates;
  });
  return (
    <BarChoice
      label="Start from a prompt"
      choices={[NONE, ...templates.map(named)]}
      value={chosen ?? ''}
      onChoose={(id) => change({ template: id === '' ? undefined : id, span: undefined })}
    />
  );
}

const ofTemplate = ({ selected_version: { id, template, settings } }: Template): Beginning => ({
  first: toVariant(promptText(template), settings as JsonObject),
  version_id: id,
});

interface Beginning {
  readonly first: Variant;
  /** The version of a prompt that `first` is. */
  readonly version_id?: string;
}

interface PlaygroundProps extends Beginning {
  readonly project_id: string;
  /** The prompt that variants are saved to. */
  readonly template_id: string | null;
}

function Playground({ project_id, template_id, version_id, first }: PlaygroundProps) {
  const [variants, setVariants] = useState<readonly Variant[]>([first]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { progress, run, busy, error, stop } = useRun(project_id);
  const put = (changed: Variant): void => setVariants(variants.map((one) => (one.key === changed.key ? changed : one)));
  const last = variants.at(-1)!;
  const isUnchanged = variants[0] === first;
  const save = (variant: Variant) => post(`/templates/${template_id}/versions`, toRequest(variant));
  return (
    <>
      {/* Above the fields, which come and go with the variables: a button that moves while it is pressed is not pressed. */}
      <div class="d-flex gap-2 mb-2">
        <button type="button" class="btn btn-sm btn-primary" disabled={busy} onClick={() => void run(variants, values)}>
          {busy ? 'Running …' : 'Run'}
        </button>
        {busy && (
          <button type="button" class="btn btn-sm btn-outline-danger" onClick={stop}>
            Stop
          </button>
        )}
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={variants.length === MAX_VARIANTS}
          onClick={() => setVariants([...variants, copyVariant(last)])}
        >
          Add variant
        </button>
      </div>
      <Failure error={error} />
      <ValueFields texts={variants.map(({ text }) => text)} values={values} onChange={setValues} />
      <div class="playground-variants">
        {variants.map((variant, at) => (
          <VariantCard
            key={variant.key}
            label={`Variant ${at + 1}`}
            variant={variant}
            progress={progress.get(variant.key)}
            isRunning={busy}
            onChange={put}
            onSave={template_id === null ? undefined : save}
            onRemove={variants.length > 1 ? () => setVariants(variants.filter(({ key }) => key !== variant.key)) : undefined}
          />
        ))}
      </div>
      <RenderedRows project_id={project_id} variant={variants[0]!} version_id={isUnchanged ? version_id : undefined} />
    </>
  );
}
