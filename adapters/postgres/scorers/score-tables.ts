import { defineEntity, p } from '@mikro-orm/core';
import type { KeptEffort } from '../../../core/scores/score.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

const properties = () => ({
  project_id: uuid().primary(),
  record_id: uuid().primary(),
  run_id: uuid().primary(),
  scorer_version_id: uuid().primary(),
  scorer_id: uuid(),
  metric_name: text(),
  status_type: text(),
  /** JSON text. */
  value: text().nullable(),
  explanation: text().nullable(),
  message: text().nullable(),
  scored_at: timestamp(),
  effort: jsonb<KeptEffort>().nullable(),
  /** The state of the record when it was judged. */
  judged: text().nullable(),
  times_scored: p.integer(),
});

/** Scores of records: final results only, one per record and scorer version. */
export const ScoreTable = defineEntity({
  name: 'ScoreRow',
  tableName: 'scores',
  properties: properties(),
  indexes: [{ name: 'scores_metric_index', properties: ['project_id', 'run_id', 'metric_name'] }],
});

/** The same of sessions: a trace may be a session by itself, and then has the id of both. */
export const SessionScoreTable = defineEntity({ name: 'SessionScoreRow', tableName: 'session_scores', properties: properties() });

/** How often a version had scored a record, or a session, when a recompute took its result away: what comes then goes on from there. */
export const ScoreCountTable = defineEntity({
  name: 'ScoreCountRow',
  tableName: 'score_counts',
  properties: {
    project_id: uuid().primary(),
    record_id: uuid().primary(),
    run_id: uuid().primary(),
    scorer_version_id: uuid().primary(),
    of_session: p.boolean().primary(),
    times_scored: p.integer(),
  },
});

/** Scores by versions on trial, which count nowhere else. */
export const ShadowScoreTable = defineEntity({
  name: 'ShadowScoreRow',
  tableName: 'shadow_scores',
  properties: properties(),
  indexes: [{ name: 'shadow_scores_trial_index', properties: ['project_id', 'run_id', 'scorer_version_id', 'record_id'] }],
});

/** Versions on trial. */
export const ShadowTrialTable = defineEntity({
  name: 'ShadowTrialRow',
  tableName: 'shadow_trials',
  properties: {
    project_id: uuid().primary(),
    run_id: uuid().primary(),
    scorer_id: uuid().primary(),
    scorer_version_id: uuid(),
    sample_rate: p.double(),
    started_by: uuid().nullable(),
    started_at: timestamp(),
  },
});

/** Scorer versions that are switched off in a project. */
export const ScorerSuspensionTable = defineEntity({
  name: 'ScorerSuspensionRow',
  tableName: 'scorer_suspensions',
  properties: {
    project_id: uuid().primary(),
    scorer_version_id: uuid().primary(),
    scorer_id: uuid(),
    reason: text(),
    message: text(),
    suspended_at: timestamp(),
  },
  indexes: [{ name: 'scorer_suspensions_scorer_index', properties: ['scorer_id'] }],
});

/** Sessions that wait until nothing happens in them any more. */
export const ChangedSessionTable = defineEntity({
  name: 'ChangedSessionRow',
  tableName: 'changed_sessions',
  properties: {
    project_id: uuid().primary(),
    session_id: uuid().primary(),
    run_id: uuid().primary(),
    changed_at: timestamp(),
  },
  indexes: [{ name: 'changed_sessions_time_index', properties: ['project_id', 'changed_at'] }],
});

export const scoreTables = [
  ScoreTable,
  SessionScoreTable,
  ScoreCountTable,
  ShadowScoreTable,
  ShadowTrialTable,
  ScorerSuspensionTable,
  ChangedSessionTable,
];
