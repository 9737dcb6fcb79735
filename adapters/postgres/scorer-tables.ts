import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from './columns.ts';

export const ScorerTable = defineEntity({
  name: 'ScorerRow',
  tableName: 'scorers',
  properties: {
    id: uuid().primary(),
    name: text(),
    scorer_type: text(),
    description: text(),
    tags: jsonb<string[]>(),
    defaults: jsonb<Record<string, unknown>>().nullable(),
    model_type: text().nullable(),
    ground_truth: p.boolean().nullable(),
    default_version_id: uuid().nullable(),
    user_prompt: text().nullable(),
    scoreable_node_types: jsonb<string[]>().nullable(),
    output_type: text().nullable(),
    input_type: text().nullable(),
    required_scorers: jsonb<string[]>().nullable(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'scorers_name_scorer_type_unique', properties: ['name', 'scorer_type'] }],
});

export const ScorerVersionTable = defineEntity({
  name: 'ScorerVersionRow',
  tableName: 'scorer_versions',
  properties: {
    id: uuid().primary(),
    scorer_id: uuid(),
    version: p.integer(),
    /** Which scorer-kind plugin runs it. */
    kind: text(),
    /** What that plugin's schema asks for. */
    definition: jsonb<Record<string, unknown>>(),
    model_name: text().nullable(),
    num_judges: p.integer().nullable(),
    scoreable_node_types: jsonb<string[]>().nullable(),
    cot_enabled: p.boolean().nullable(),
    output_type: text().nullable(),
    input_type: text().nullable(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'scorer_versions_scorer_id_version_unique', properties: ['scorer_id', 'version'] }],
});
