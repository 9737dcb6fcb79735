import { type OutputType, z } from '../../../core/plugin-sdk/index.ts';
import type { Definition } from './definition.ts';

/** Permitted form of a verdict on one record. */
export interface VerdictForm {
  readonly output_type: OutputType;
  /** Absent: any text. */
  readonly labels?: readonly string[];
  /** Of discrete ratings, both ends included. */
  readonly range: { readonly min: number; readonly max: number };
  /** How many chunks a list has to judge; absent where no retriever is judged. */
  readonly chunks?: number;
}

const Labels = z.array(z.string()).min(1);
/** Where a schema of an author's own may name labels and a range. */
const ValueSchema = z.looseObject({
  enum: Labels.optional().catch(undefined),
  items: z
    .looseObject({ enum: Labels.optional().catch(undefined) })
    .optional()
    .catch(undefined),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  minimum: z.int().optional().catch(undefined),
  maximum: z.int().optional().catch(undefined),
});

export function verdictForm(definition: Definition, chunks: number | undefined): VerdictForm {
  const given = getValueSchema(definition);
  const named = given?.enum ?? given?.items?.enum ?? (given?.properties && Object.keys(given.properties));
  const labels = definition.labels ?? named;
  return {
    output_type: definition.output_type,
    ...(labels && { labels }),
    range: definition.range ?? { min: given?.minimum ?? 1, max: given?.maximum ?? 5 },
    ...(chunks !== undefined && { chunks }),
  };
}

function getValueSchema({ chain_poll_template: template }: Definition): z.output<typeof ValueSchema> | undefined {
  const properties = Object(template?.response_schema?.properties) as Record<string, unknown>;
  return ValueSchema.safeParse(template && properties[template.value_field_name]).data;
}
