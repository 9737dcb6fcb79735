import { defineEntity, p } from '@mikro-orm/core';
import type { StoredAudit } from '../../../core/health/bias/judge-audit.ts';
import type { StoredHealthScore } from '../../../core/health/health-score.ts';
import type { ScorerGate } from '../../../core/health/scorer-gate.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** The newest health of each scorer version against each dataset, with the run it came from. */
export const HealthScoreTable = defineEntity({
  name: 'HealthScoreRow',
  tableName: 'health_scores',
  properties: {
    id: uuid().primary(),
    scorer_id: uuid(),
    scorer_version_id: uuid(),
    scorer_version_number: p.integer(),
    dataset_id: uuid(),
    dataset_version_index: p.integer().nullable(),
    health_score_type: text(),
    /** Whether truths that are not in the dataset took part. */
    with_overlay: p.boolean(),
    score: p.double(),
    secondary: jsonb<Record<string, number | null>>(),
    interval: jsonb<StoredHealthScore['interval']>().nullable(),
    baseline: jsonb<StoredHealthScore['baseline']>().nullable(),
    confusion_table: jsonb<StoredHealthScore['confusion_table']>().nullable(),
    run_id: uuid(),
    computed_at: timestamp(),
  },
  uniques: [
    {
      name: 'health_scores_version_dataset_type_unique',
      properties: ['scorer_version_id', 'dataset_id', 'health_score_type', 'with_overlay'],
    },
  ],
  indexes: [{ name: 'health_scores_scorer_index', properties: ['scorer_id', 'dataset_id', 'scorer_version_number'] }],
});

/** Conditions that a version has to meet before it may become the default of its scorer. */
export const ScorerGateTable = defineEntity({
  name: 'ScorerGateRow',
  tableName: 'scorer_gates',
  properties: {
    scorer_id: uuid().primary(),
    dataset_id: uuid(),
    health_score_type: text().nullable(),
    margin: p.double(),
    audit: jsonb<ScorerGate['audit']>().nullable(),
    updated_by: uuid().nullable(),
    updated_at: timestamp(),
  },
});

/** Which column of a dataset holds what is right for a scorer. */
export const TruthColumnTable = defineEntity({
  name: 'TruthColumnRow',
  tableName: 'truth_columns',
  properties: {
    dataset_id: uuid().primary(),
    scorer_id: uuid().primary(),
    column_key: p.integer(),
  },
});

const RUNNING_INDEX = 'judge_audits_running_unique';

/** Findings about the bias of judges, some of each version. */
export const JudgeAuditTable = defineEntity({
  name: 'JudgeAuditRow',
  tableName: 'judge_audits',
  properties: {
    id: uuid().primary(),
    scorer_id: uuid(),
    scorer_version_id: uuid(),
    scorer_version_number: p.integer(),
    status: text(),
    message: text().nullable(),
    plan: jsonb<StoredAudit['plan']>(),
    report: jsonb<StoredAudit['report']>().nullable(),
    created_by: uuid(),
    created_at: timestamp(),
    finished_at: timestamp().nullable(),
  },
  indexes: [
    { name: 'judge_audits_version_index', properties: ['scorer_id', 'scorer_version_id', 'created_at'] },
    {
      name: RUNNING_INDEX,
      expression: `create unique index "${RUNNING_INDEX}" on "judge_audits" ("scorer_version_id") where "status" = 'running'`,
    },
  ],
});

export const healthTables = [HealthScoreTable, ScorerGateTable, TruthColumnTable, JudgeAuditTable];
