import { z } from 'zod';

/**
 * Meaning of a string of the interface, where it is one of its words and its schema does not say so by being an
 * enumeration: any word, or the name of a preset. `keys` is a map whose keys are names of scorers. All other strings
 * are data.
 */
export type Vocabulary = 'word' | 'preset_name' | 'keys';

const vocabularies = new WeakMap<z.core.$ZodType, Vocabulary>();

/** Returns a copy, so that the same schema elsewhere stays one of data. */
export function asWord<S extends z.ZodType>(schema: S): S {
  return marked(schema, 'word');
}

/** As `asWord`, for names of scorers that may be presets. */
export function asPresetName<S extends z.ZodType>(schema: S): S {
  return marked(schema, 'preset_name');
}

/** As `asPresetName`, for maps whose keys are names of scorers. */
export function asMapByPresetName<S extends z.ZodType>(schema: S): S {
  return marked(schema, 'keys');
}

export const vocabularyOf = (schema: z.core.$ZodType): Vocabulary | undefined => vocabularies.get(schema);

function marked<S extends z.ZodType>(schema: S, vocabulary: Vocabulary): S {
  const copy = schema.clone();
  const meta = z.globalRegistry.get(schema);
  if (meta) z.globalRegistry.add(copy, meta);
  vocabularies.set(copy, vocabulary);
  return copy;
}
