import { type ScorerView, z } from '../../../core/plugin-sdk/index.ts';
import { made, nodeTypes, toMade } from '../made.ts';
import type { Definition } from './definition.ts';

const short = z.object({ id: z.string(), name: z.string(), score_type: z.string().nullable() });
const full = short.extend({ ...made, data_type: z.string().nullable(), scoreable_node_types: nodeTypes });

/** The type of column that the values of a program fill. */
const DATA_TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int: 'integer',
  float: 'floating_point',
  str: 'text',
  list: 'array',
};

const code_language = z.string().describe('The language of a program: it is run by it even where others are installed.');

/** A program is shown by its language and the type of its values, without its source; presets by their language. */
export const view: ScorerView<typeof Definition> = {
  fields: {
    short: z.object({ registered_scorer: short, code_language }),
    full: z.object({ registered_scorer: full, code_language }),
  },
  show({ language, score_type = null }, version) {
    if (version.is_preset) return { code_language: language };
    const { id, name, scoreable_node_types } = version;
    const data_type = DATA_TYPES[score_type ?? ''] ?? null;
    return {
      code_language: language,
      registered_scorer: { id, name, score_type, data_type, scoreable_node_types, ...toMade(version) },
    };
  },
};
