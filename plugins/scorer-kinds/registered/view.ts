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

/** A program is shown by the type of its values, without its source; nothing of presets. */
export const view: ScorerView<typeof Definition> = {
  fields: { short: z.object({ registered_scorer: short }), full: z.object({ registered_scorer: full }) },
  show({ score_type = null }, version) {
    if (version.is_preset) return {};
    const { id, name, scoreable_node_types } = version;
    const data_type = DATA_TYPES[score_type ?? ''] ?? null;
    return { registered_scorer: { id, name, score_type, data_type, scoreable_node_types, ...toMade(version) } };
  },
};
