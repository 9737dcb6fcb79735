import { defineEntity, p } from '@mikro-orm/core';
import type { DatasetRule } from '../../../core/datasets/rules/dataset-rule.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Rules that fill datasets from runs. */
export const DatasetRuleTable = defineEntity({
  name: 'DatasetRuleRow',
  tableName: 'dataset_rules',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    run_id: uuid(),
    dataset_id: uuid(),
    name: text(),
    record_type: text(),
    filters: jsonb<DatasetRule['filters']>(),
    filter_tree: jsonb<NonNullable<DatasetRule['filter_tree']>>().nullable(),
    sample_rate: p.double(),
    columns: jsonb<NonNullable<DatasetRule['columns']>>().nullable(),
    max_rows_per_day: p.integer(),
    batch_minutes: p.integer(),
    is_enabled: p.boolean(),
    paused_reason: text().nullable(),
    paused_message: text().nullable(),
    paused_at: timestamp().nullable(),
    created_by: uuid(),
    enabled_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
    last_run_at: timestamp().nullable(),
    last_added_at: timestamp().nullable(),
    last_version_index: p.integer().nullable(),
    num_added: p.bigint('number'),
    num_left_out: p.bigint('number'),
    added_today: p.integer(),
    due_at: timestamp(),
  },
  indexes: [
    { name: 'dataset_rules_run_index', properties: ['project_id', 'run_id'] },
    { name: 'dataset_rules_due_index', properties: ['due_at'] },
  ],
});

/** Records that a rule has still to look at: put there by the transaction that indexed their change. */
export const DatasetRuleChangeTable = defineEntity({
  name: 'DatasetRuleChangeRow',
  tableName: 'dataset_rule_changes',
  properties: {
    project_id: uuid().primary(),
    rule_id: uuid().primary(),
    sequence: p.bigint('string').primary().autoincrement(),
    run_id: uuid(),
    record_ids: p.array().columnType('uuid[]'),
  },
});

export const datasetRuleTables = [DatasetRuleTable, DatasetRuleChangeTable];
