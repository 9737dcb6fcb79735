import type { MikroORM } from '@mikro-orm/postgresql';
import { asValue } from 'awilix';
import { PostgresAccessStore } from '../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../adapters/postgres/access/postgres-collaborator-store.ts';
import { PostgresGroupStore } from '../adapters/postgres/access/postgres-group-store.ts';
import { PostgresLoginStore } from '../adapters/postgres/access/postgres-login-store.ts';
import { PostgresSession } from '../adapters/postgres/database/postgres-session.ts';
import { PostgresDatasetContentStore } from '../adapters/postgres/datasets/postgres-dataset-content-store.ts';
import { PostgresDatasetStore } from '../adapters/postgres/datasets/postgres-dataset-store.ts';
import { PostgresImportProgress } from '../adapters/postgres/datasets/postgres-import-progress.ts';
import { PostgresExperimentStore } from '../adapters/postgres/experiments/postgres-experiment-store.ts';
import { PostgresRunOriginStore } from '../adapters/postgres/experiments/postgres-run-origin-store.ts';
import { PostgresRunScores } from '../adapters/postgres/experiments/postgres-run-scores.ts';
import { PostgresRunTagStore } from '../adapters/postgres/experiments/postgres-run-tag-store.ts';
import { PostgresRunTotals } from '../adapters/postgres/experiments/postgres-run-totals.ts';
import { PostgresHealthStore } from '../adapters/postgres/health/postgres-health-store.ts';
import { PostgresScorerGateStore } from '../adapters/postgres/health/postgres-scorer-gate-store.ts';
import { PostgresShadowStore } from '../adapters/postgres/health/postgres-shadow-store.ts';
import { PostgresTruthColumns } from '../adapters/postgres/health/postgres-truth-columns.ts';
import { PostgresInsightStore } from '../adapters/postgres/insights/postgres-insight-store.ts';
import { PostgresAnswerCache } from '../adapters/postgres/integrations/postgres-answer-cache.ts';
import { PostgresIntegrationStore } from '../adapters/postgres/integrations/postgres-integration-store.ts';
import { PostgresSpendingStore } from '../adapters/postgres/integrations/postgres-spending-store.ts';
import type { PgBossQueues } from '../adapters/postgres/jobs/pg-boss-queues.ts';
import { PostgresJobStore } from '../adapters/postgres/jobs/postgres-job-store.ts';
import { PostgresOtelTraceStore } from '../adapters/postgres/otel/postgres-otel-trace-store.ts';
import { PostgresProjectStore } from '../adapters/postgres/projects/postgres-project-store.ts';
import { PostgresRunDirectory } from '../adapters/postgres/projects/postgres-run-directory.ts';
import { PostgresTemplateStore } from '../adapters/postgres/prompts/postgres-template-store.ts';
import { PostgresAnnotationQueueStore } from '../adapters/postgres/ratings/postgres-annotation-queue-store.ts';
import { PostgresRatingStore } from '../adapters/postgres/ratings/postgres-rating-store.ts';
import { PostgresIdleSessions } from '../adapters/postgres/scorers/postgres-idle-sessions.ts';
import { PostgresMetricSettingsStore } from '../adapters/postgres/scorers/postgres-metric-settings-store.ts';
import { PostgresRescoring } from '../adapters/postgres/scorers/postgres-rescoring.ts';
import { PostgresScoreStore } from '../adapters/postgres/scorers/postgres-score-store.ts';
import { PostgresScorerStore } from '../adapters/postgres/scorers/postgres-scorer-store.ts';
import { PostgresScorerUse } from '../adapters/postgres/scorers/postgres-scorer-use.ts';
import { PostgresScoresBelow } from '../adapters/postgres/scorers/postgres-scores-below.ts';
import { PostgresSuspensionStore } from '../adapters/postgres/scorers/postgres-suspension-store.ts';
import { PostgresValidationStore } from '../adapters/postgres/scorers/postgres-validation-store.ts';
import type { GroupWriter } from '../adapters/postgres/traces/group-writer.ts';
import { PostgresColumnStore } from '../adapters/postgres/traces/postgres-column-store.ts';
import { PostgresIdleTraces } from '../adapters/postgres/traces/postgres-idle-traces.ts';
import { PostgresRecordIndex } from '../adapters/postgres/traces/postgres-record-index.ts';
import { PostgresRecordRemoval } from '../adapters/postgres/traces/postgres-record-removal.ts';
import { PostgresRecordScan } from '../adapters/postgres/traces/postgres-record-scan.ts';
import { PostgresRecordSessionStore } from '../adapters/postgres/traces/postgres-record-session-store.ts';
import { PostgresRetentionStore } from '../adapters/postgres/traces/postgres-retention-store.ts';
import { PostgresRunMetrics } from '../adapters/postgres/traces/postgres-run-metrics.ts';
import { PostgresTraceStore } from '../adapters/postgres/traces/postgres-trace-store.ts';
import { PostgresAlertStore } from '../adapters/postgres/trends/postgres-alert-store.ts';
import { PostgresDashboardStore } from '../adapters/postgres/trends/postgres-dashboard-store.ts';
import { PostgresSeriesStore } from '../adapters/postgres/trends/postgres-series-store.ts';
import { PostgresTrendStore } from '../adapters/postgres/trends/postgres-trend-store.ts';
import { PostgresWorkList } from '../adapters/postgres/trends/postgres-work-list.ts';
import type { JobQueue } from '../core/jobs/job-store.ts';
import type { Transactions } from '../core/kernel/ports.ts';
import type { ScoringQueue } from '../core/scorers/scoring/scoring-queue.ts';
import type { Adapters } from './adapters.ts';
import { one, type Registrations } from './cradle.ts';

/** The stores on PostgreSQL. The writer and the queue are opened by the caller, who also closes them. */
export function postgresAdapters(open: {
  orm: MikroORM;
  groupWriter: GroupWriter;
  queues: PgBossQueues;
}): Registrations<Adapters> {
  const session = new PostgresSession({ orm: open.orm });
  const { groupWriter, queues } = open;
  const { scoring, modelScoring, jobs } = queues;
  return {
    transactions: asValue<Transactions>(session),
    accessStore: one(() => new PostgresAccessStore({ session })),
    loginStore: one(() => new PostgresLoginStore({ session })),
    collaboratorStore: one(() => new PostgresCollaboratorStore({ session })),
    groupStore: one(() => new PostgresGroupStore({ session })),
    auditStore: one(() => new PostgresAuditStore({ session })),
    projectStore: one(() => new PostgresProjectStore({ session })),
    runOriginStore: one(() => new PostgresRunOriginStore({ session })),
    traceStore: one(() => new PostgresTraceStore({ session, groupWriter, enqueueWithin: scoring.enqueueWithin })),
    otelTraceStore: one(
      () => new PostgresOtelTraceStore({ session, columns: groupWriter.columns, enqueueWithin: scoring.enqueueWithin }),
    ),
    idleTraces: one(() => new PostgresIdleTraces({ session, enqueueWithin: scoring.enqueueWithin })),
    runDirectory: one(() => new PostgresRunDirectory({ session })),
    sessionStore: one(() => new PostgresRecordSessionStore({ session })),
    scorerStore: one(() => new PostgresScorerStore({ session })),
    scorerUse: one(() => new PostgresScorerUse({ session })),
    validationStore: one(() => new PostgresValidationStore({ session })),
    scoreStore: one(() => new PostgresScoreStore({ session })),
    sessionScoreStore: one(() => new PostgresScoreStore({ session, of: 'sessions' })),
    shadowScoreStore: one(() => new PostgresScoreStore({ session, of: 'shadows' })),
    shadowStore: one(() => new PostgresShadowStore({ session })),
    idleSessions: one(() => new PostgresIdleSessions({ session, enqueueWithin: scoring.enqueueWithin })),
    scoresBelow: one(() => new PostgresScoresBelow({ session })),
    answerCache: one(() => new PostgresAnswerCache({ session })),
    spendingStore: one(() => new PostgresSpendingStore({ session })),
    columnStore: one(() => new PostgresColumnStore({ session })),
    metricSettingsStore: one(() => new PostgresMetricSettingsStore({ session })),
    scoringQueue: asValue<ScoringQueue>(scoring),
    modelScoringQueue: asValue<ScoringQueue>(modelScoring),
    suspensionStore: one(() => new PostgresSuspensionStore({ session })),
    ratingStore: one(() => new PostgresRatingStore({ session })),
    annotationQueueStore: one(() => new PostgresAnnotationQueueStore({ session })),
    jobStore: one(() => new PostgresJobStore({ session, enqueueWithin: jobs.enqueueWithin })),
    jobQueue: asValue<JobQueue>(jobs),
    trendStore: one(() => new PostgresTrendStore({ session })),
    seriesStore: one(() => new PostgresSeriesStore({ session })),
    dashboardStore: one(() => new PostgresDashboardStore({ session })),
    alertStore: one(() => new PostgresAlertStore({ session })),
    workList: one(() => new PostgresWorkList({ session })),
    insightStore: one(() => new PostgresInsightStore({ session })),
    recordIndex: one(() => new PostgresRecordIndex({ session })),
    datasetStore: one(() => new PostgresDatasetStore({ session })),
    // Its session is its own: an import is watched while the transaction that stores its rows is open.
    importProgress: one(() => new PostgresImportProgress({ session: new PostgresSession({ orm: open.orm }) })),
    datasetContentStore: one(() => new PostgresDatasetContentStore({ session })),
    experimentStore: one(() => new PostgresExperimentStore({ session })),
    runTagStore: one(() => new PostgresRunTagStore({ session })),
    runScores: one(() => new PostgresRunScores({ session })),
    runTotals: one(() => new PostgresRunTotals({ session })),
    templateStore: one(() => new PostgresTemplateStore({ session })),
    healthStore: one(() => new PostgresHealthStore({ session })),
    truthColumns: one(() => new PostgresTruthColumns({ session })),
    scorerGateStore: one(() => new PostgresScorerGateStore({ session })),
    integrationStore: one(() => new PostgresIntegrationStore({ session })),
    recordScan: one(() => new PostgresRecordScan({ session })),
    recordRemoval: one(() => new PostgresRecordRemoval({ session })),
    rescoring: one(() => new PostgresRescoring({ session, enqueueWithin: scoring.enqueueWithin })),
    runMetrics: one(() => new PostgresRunMetrics({ session })),
    retentionStore: one(() => new PostgresRetentionStore({ session })),
  };
}
