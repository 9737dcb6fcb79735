import { defineEntity, p } from '@mikro-orm/core';
import type { MetricSettings } from '../../../core/scores/metric-settings.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

export const ProjectTable = defineEntity({
  name: 'ProjectRow',
  tableName: 'projects',
  properties: {
    id: uuid().primary(),
    name: text(),
    type: text(),
    type_is_default: p.boolean(),
    created_by: uuid().nullable(),
    description: text().nullable(),
    labels: jsonb<string[]>(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'projects_type_name_unique', properties: ['type', 'name'] }],
});

/** Log streams, experiments and metrics-testing runs: what records are logged to. */
export const RunTable = defineEntity({
  name: 'RunRow',
  tableName: 'runs',
  properties: {
    project_id: uuid().primary(),
    id: uuid().primary(),
    kind: text().$type<'log_stream' | 'experiment' | 'metrics_testing'>(),
    name: text(),
    created_by: uuid().nullable(),
    has_user_created_sessions: p.boolean(),
    metric_settings: jsonb<MetricSettings>(),
    /** Raised by every change of `metric_settings`; ingest plans are only good for the revision they were made from. */
    settings_revision: p.integer(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'runs_project_id_kind_name_unique', properties: ['project_id', 'kind', 'name'] }],
});

/** Origins of runs: their dataset and scorer. */
export const RunOriginTable = defineEntity({
  name: 'RunOriginRow',
  tableName: 'run_origins',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    dataset_id: uuid().nullable(),
    dataset_version_index: p.integer().nullable(),
    scorer_id: uuid().nullable(),
    scorer_version_id: uuid().nullable(),
    source_run_id: uuid().nullable(),
  },
});

export const projectTables = [ProjectTable, RunTable, RunOriginTable];
