import { z } from 'zod';
import { asPresetName, asWord } from '../kernel/vocabulary.ts';
import { RUN_SETTINGS } from '../plugin-sdk/index.ts';
import { getRollUpMethods } from '../scores/roll-up-method.ts';
import { forKinds } from './kinds/for-kinds.ts';
import { PRESET, type ScorerKinds } from './kinds/scorer-kinds.ts';
import type { ScorerRecord, ScorerVersionRecord } from './scorer.ts';
import { storedVersionSchema } from './versions/scorer-version.ts';
import { toStoredVersion } from './versions/version-view.ts';

/** A scorer as the API shows it. */
export const scorerSchema = forKinds((kinds) =>
  z
    .object({
      id: z.string(),
      name: asPresetName(z.string()),
      scorer_type: asWord(z.string()),
      tags: z.array(z.string()),
      defaults: z.looseObject({}).nullable(),
      latest_version: storedVersionSchema(kinds).nullable(),
      default_version_id: z.string().nullable(),
      default_version: storedVersionSchema(kinds).nullable(),
      model_type: z.string().nullable(),
      ground_truth: z.boolean().nullable(),
      user_prompt: z.string().nullable(),
      scoreable_node_types: z.array(z.string()).nullable(),
      output_type: z.string().nullable(),
      input_type: z.string().nullable(),
      required_scorers: z.array(asPresetName(z.string())).nullable(),
      multimodal_capabilities: z.array(z.string()).nullable(),
      deprecated: z.boolean(),
      roll_up_config: z.object({ roll_up_methods: z.array(z.string()) }),
      roll_up_method: z.string().nullable(),
      label: z.string(),
      description: z.string().nullable(),
      created_by: z.string().nullable(),
      created_at: z.string(),
      updated_at: z.string(),
      included_fields: z.array(asWord(z.string())),
    })
    .meta({ id: 'Scorer' }),
);
export type Scorer = z.output<ReturnType<typeof scorerSchema>>;

const OF_ANY = ['filters', 'scoreable_node_types', 'roll_up_method', 'output_type'];

/** Settings that a run may set otherwise: those of any scorer, and those that the kind heeds. Presets are of all kinds. */
function includedFields(kinds: ScorerKinds, { scorer_type }: ScorerRecord): string[] {
  const heeded = scorer_type === PRESET ? RUN_SETTINGS : (kinds.findByType(scorer_type)?.run_settings ?? []);
  return [...new Set([...heeded, ...OF_ANY])];
}

export function scorerView(
  kinds: ScorerKinds,
  scorer: ScorerRecord,
  latest: ScorerVersionRecord | undefined,
  standard: ScorerVersionRecord | undefined,
): Scorer {
  return {
    ...scorer,
    tags: [...scorer.tags],
    scoreable_node_types: scorer.scoreable_node_types && [...scorer.scoreable_node_types],
    required_scorers: scorer.required_scorers && [...scorer.required_scorers],
    multimodal_capabilities: scorer.multimodal_capabilities && [...scorer.multimodal_capabilities],
    latest_version: latest ? toStoredVersion(kinds, latest, scorer) : null,
    default_version: standard ? toStoredVersion(kinds, standard, scorer) : null,
    roll_up_config: { roll_up_methods: [...getRollUpMethods(scorer.output_type)] },
    included_fields: includedFields(kinds, scorer),
  };
}
