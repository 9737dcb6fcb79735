import { useState } from 'preact/hooks';
import type { PlaygroundReply } from '../../core/experiments/playground-service.ts';
import type { JsonObject } from '../../core/kernel/json.ts';
import type { Project } from '../../core/projects/project.ts';
import type { Template } from '../../core/prompts/template.ts';
import { useProject } from '../admin/use-project.ts';
import { get, post } from '../api/client.ts';
import { BarChoice, named } from '../kit/choice.tsx';
import { useView } from '../kit/location.ts';
import { Failure, Show } from '../kit/notices.tsx';
import { useAction } from '../kit/use-action.ts';
import { useLoaded } from '../kit/use-loaded.ts';
import { ProjectHead } from '../projects/project-head.tsx';
import { promptText, type TemplatePage } from '../prompts/prompts.ts';
import '../styles/playground.css';
import { RenderedRows } from './rendered-rows.tsx';
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
  const loaded = useLoaded(`playground ${project.id} ${span} ${template}`, async (signal) => {
    if (span !== null) return toCallVariant(await get<LoggedCall>(`/projects/${project.id}/spans/${span}`, { signal }));
    if (template !== null) return ofTemplate(await get<Template>(`/templates/${template}`, { signal }));
    return newVariant();
  });
  return (
    <>
      <ProjectHead project={project} active={`/projects/${project.id}/playground`}>
        <PromptChoice chosen={template} />
      </ProjectHead>
      <Show loaded={loaded}>
        {(first) => <Playground key={first.key} project_id={project.id} template_id={template} first={first} />}
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

const ofTemplate = ({ selected_version: { template, settings } }: Template): Variant =>
  toVariant(promptText(template), settings as JsonObject);

type Results = ReadonlyMap<string, PlaygroundReply['variants'][number]>;

interface PlaygroundProps {
  readonly project_id: string;
  /** The prompt that variants are saved to. */
  readonly template_id: string | null;
  readonly first: Variant;
}

function Playground({ project_id, template_id, first }: PlaygroundProps) {
  const [variants, setVariants] = useState<readonly Variant[]>([first]);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [results, setResults] = useState<Results>(new Map());
  const run = useAction(async () => {
    const body = { variants: variants.map(toRequest), values };
    const reply = await post<PlaygroundReply>(`/projects/${project_id}/playground`, body);
    setResults(new Map(reply.variants.map((result, at) => [variants[at]!.key, result])));
  });
  const put = (changed: Variant): void => setVariants(variants.map((one) => (one.key === changed.key ? changed : one)));
  const last = variants.at(-1)!;
  const save = (variant: Variant) => post(`/templates/${template_id}/versions`, toRequest(variant));
  return (
    <>
      <ValueFields texts={variants.map(({ text }) => text)} values={values} onChange={setValues} />
      <div class="d-flex gap-2 mb-2">
        <button type="button" class="btn btn-sm btn-primary" disabled={run.busy} onClick={() => void run.run()}>
          {run.busy ? 'Running …' : 'Run'}
        </button>
        <button
          type="button"
          class="btn btn-sm btn-outline-secondary"
          disabled={variants.length === MAX_VARIANTS}
          onClick={() => setVariants([...variants, copyVariant(last)])}
        >
          Add variant
        </button>
      </div>
      <Failure error={run.error} />
      <div class="playground-variants">
        {variants.map((variant, at) => (
          <VariantCard
            key={variant.key}
            label={`Variant ${at + 1}`}
            variant={variant}
            result={results.get(variant.key)}
            onChange={put}
            onSave={template_id === null ? undefined : save}
            onRemove={variants.length > 1 ? () => setVariants(variants.filter(({ key }) => key !== variant.key)) : undefined}
          />
        ))}
      </div>
      <RenderedRows text={variants[0]!.text} />
    </>
  );
}
