import { z } from 'zod';
import { jsonSchemaOf, type ScorerKindPlugin, TRIAL_GROUNDS } from '../../plugin-sdk/index.ts';
import { getType, pathsOf } from './scorer-kinds.ts';

/** A scorer kind as the API shows it: what one has to know to make a scorer of it, and a form for its versions. */
export const ScorerKindView = z
  .object({
    id: z.string(),
    label: z.string(),
    summary: z.string(),
    stability: z.enum(['experimental', 'stable', 'deprecated']),
    scorer_type: z.string().describe('What scorers of the kind are shown with.'),
    scorer_types: z.array(z.string()).describe('What scorers of the kind may be created with.'),
    paths: z.array(z.string()).describe('What versions are made at, below `/v2/scorers/{scorer_id}/version/`.'),
    model_type: z.enum(['llm', 'slm', 'code']).nullable().describe('What judges; null where the plugin does so itself.'),
    is_file: z.boolean().describe('Whether a definition is an uploaded file, in the part `file` of a form.'),
    definition_schema: z.looseObject({}).describe('JSON Schema of a definition.'),
    form_schema: z.looseObject({}).nullable().describe('JSON Schema of the fields beside the file; null where there is no file.'),
    trials: z.array(z.enum(TRIAL_GROUNDS)).describe('What a definition can be tried on before there is a version.'),
  })
  .meta({ id: 'ScorerKind' });
export type ScorerKindView = z.output<typeof ScorerKindView>;

export const ScorerKindList = z.object({ scorer_kinds: z.array(ScorerKindView) }).meta({ id: 'ScorerKindList' });

export function scorerKindView(plugin: ScorerKindPlugin): ScorerKindView {
  const { id, label, summary, stability, aliases = [], model_type = null, definition, upload, trial } = plugin;
  return {
    ...{ id, label, summary, stability, model_type },
    scorer_type: getType(plugin),
    scorer_types: [...new Set([id, ...aliases])],
    paths: pathsOf(plugin),
    is_file: upload !== undefined,
    definition_schema: printed(definition),
    form_schema: upload ? printed(upload.fields ?? z.object({})) : null,
    trials: [...(trial?.on ?? TRIAL_GROUNDS)],
  };
}

const printed = (schema: z.ZodType): Record<string, unknown> => ({ ...jsonSchemaOf(schema) });
