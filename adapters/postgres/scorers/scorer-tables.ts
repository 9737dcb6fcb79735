import { defineEntity, p } from '@mikro-orm/core';
import type { VersionCalibration } from '../../../core/scorers/calibration/score-mapping.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const ScorerTable = defineEntity({
  name: 'ScorerRow',
  tableName: 'scorers',
  properties: {
    id: uuid().primary(),
    name: text(),
    label: text(),
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
    multimodal_capabilities: jsonb<string[]>().nullable(),
    roll_up_method: text().nullable(),
    deprecated: p.boolean(),
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
    /** Fields that the plugin's schema defines. */
    definition: jsonb<Record<string, unknown>>(),
    model_name: text().nullable(),
    num_judges: p.integer().nullable(),
    scoreable_node_types: jsonb<string[]>().nullable(),
    cot_enabled: p.boolean().nullable(),
    output_type: text().nullable(),
    input_type: text().nullable(),
    calibration: jsonb<VersionCalibration>().nullable(),
    created_by: uuid().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'scorer_versions_scorer_id_version_unique', properties: ['scorer_id', 'version'] }],
});

/** Trials of candidates, with what came of them. Texts in JSON are encoded as those of records. */
export const ScorerValidationTable = defineEntity({
  name: 'ScorerValidationRow',
  tableName: 'scorer_validations',
  properties: {
    id: uuid().primary(),
    kind: text(),
    definition: jsonb<unknown>(),
    definition_hash: text(),
    plan: jsonb<unknown>(),
    project_id: uuid().nullable(),
    run_id: uuid().nullable(),
    evidence: jsonb<unknown>().nullable(),
    scorer_version_id: uuid().nullable(),
    created_by: uuid(),
    created_at: timestamp(),
  },
  indexes: [
    { name: 'scorer_validations_version_index', properties: ['scorer_version_id'] },
    { name: 'scorer_validations_created_at_index', properties: ['created_at'] },
  ],
});

export const scorerTables = [ScorerTable, ScorerVersionTable, ScorerValidationTable];
