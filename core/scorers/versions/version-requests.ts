import { z } from 'zod';
import { Id } from '../../kernel/text.ts';
import { InputType, OutputType, type ScorerKindPlugin } from '../../plugin-sdk/index.ts';
import { NodeTypes } from '../scorer.ts';

/** The number of a version, as it stands in queries and paths. */
export const VersionNumber = z.coerce.number().int().min(1).max(2_147_483_647);

/** Settings of judges. What is absent or null is as in the version before. */
export const NewPresetVersion = z
  .object({
    model_name: z.string().max(255).nullish(),
    num_judges: z.int().nullish(),
    scoreable_node_types: NodeTypes.nullish(),
    cot_enabled: z.boolean().nullish(),
    output_type: OutputType.nullish(),
    input_type: InputType.nullish(),
  })
  .meta({ id: 'NewPresetVersion' });
export type NewPresetVersion = z.output<typeof NewPresetVersion>;

/** Fields of every kind beside its definition; the definition itself is checked once the scorer has completed it. */
export const NewKindVersion = z.looseObject({ scoreable_node_types: NodeTypes.nullish() });

/** The body that a kind takes, for the document: its definition, and what every kind takes. */
export function documentedVersion({ definition }: ScorerKindPlugin): z.ZodType {
  if (!(definition instanceof z.ZodObject)) return definition;
  return z.looseObject({ ...definition.shape, scoreable_node_types: NodeTypes.nullish() });
}

export const VersionsOfRun = z.object({ run_id: Id.optional() });
