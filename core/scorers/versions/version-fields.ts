import { z } from 'zod';
import { VersionCalibration } from '../calibration/score-mapping.ts';

const nodeTypes = z.array(z.string()).nullable();

/** Of every version, in both forms. */
export const versionFields = {
  id: z.string(),
  version: z.int(),
  scorer_id: z.string(),
  model_name: z.string().nullable(),
  num_judges: z.int().nullable(),
  scoreable_node_types: nodeTypes,
  cot_enabled: z.boolean().nullable(),
  output_type: z.string().nullable(),
  input_type: z.string().nullable(),
  calibration: VersionCalibration.nullable().describe('The mapping that the version applies to its scores.'),
};
export const definition = z
  .looseObject({})
  .nullable()
  .describe('What the version holds, of kinds that have no field of their own for it.');
export const times = { created_at: z.string(), updated_at: z.string() };
export const allowed_model = z.boolean();

/** Fields of versions of all kinds: no kind may have one of its own by these names. */
export const VERSION_FIELDS: readonly string[] = Object.keys({ ...versionFields, definition, ...times, allowed_model });
