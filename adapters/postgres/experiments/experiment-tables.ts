import { defineEntity, p } from '@mikro-orm/core';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Facts of experiments beyond those of runs. Texts in `prompt` and `prompt_run_settings` are encoded as those of records. */
export const ExperimentTable = defineEntity({
  name: 'ExperimentRow',
  tableName: 'experiments',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    task_type: p.integer(),
    dataset_id: uuid().nullable(),
    dataset_version_index: p.integer().nullable(),
    dataset_name: text().nullable(),
    prompt: jsonb<unknown>().nullable(),
    prompt_run_settings: jsonb<unknown>().nullable(),
    playground_id: uuid().nullable(),
    playground_prompt_id: uuid().nullable(),
    generated: p.double().nullable(),
  },
  indexes: [{ name: 'experiments_dataset_index', properties: ['project_id', 'dataset_id'] }],
});

export const RunTagTable = defineEntity({
  name: 'RunTagRow',
  tableName: 'run_tags',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    id: uuid().primary(),
    key: text(),
    value: text(),
    tag_type: text(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'run_tags_key_unique', properties: ['project_id', 'run_id', 'key'] }],
});

export const experimentTables = [ExperimentTable, RunTagTable];
