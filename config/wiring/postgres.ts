import type { MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import { PostgresAccessStore } from '../../adapters/postgres/access/postgres-access-store.ts';
import { PostgresAuditStore } from '../../adapters/postgres/access/postgres-audit-store.ts';
import { PostgresCollaboratorStore } from '../../adapters/postgres/access/postgres-collaborator-store.ts';
import { PostgresGroupStore } from '../../adapters/postgres/access/postgres-group-store.ts';
import { PostgresLoginStore } from '../../adapters/postgres/access/postgres-login-store.ts';
import { PostgresProvisioningStore } from '../../adapters/postgres/access/postgres-provisioning-store.ts';
import { PostgresAnnotationQueueStore } from '../../adapters/postgres/annotation/postgres-annotation-queue-store.ts';
import { PostgresBookmarkStore } from '../../adapters/postgres/bookmarks/postgres-bookmark-store.ts';
import { PostgresCommentStore } from '../../adapters/postgres/comments/postgres-comment-store.ts';
import { PostgresDataExportStore } from '../../adapters/postgres/data-export/postgres-data-export-store.ts';
import type { Tables } from '../../adapters/postgres/database/orm.ts';
import { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';
import { PostgresDatasetContentStore } from '../../adapters/postgres/datasets/postgres-dataset-content-store.ts';
import { PostgresDatasetRuleStore } from '../../adapters/postgres/datasets/postgres-dataset-rule-store.ts';
import { PostgresDatasetStore } from '../../adapters/postgres/datasets/postgres-dataset-store.ts';
import { PostgresImportProgress } from '../../adapters/postgres/datasets/postgres-import-progress.ts';
import { PostgresExperimentStore } from '../../adapters/postgres/experiments/postgres-experiment-store.ts';
import { PostgresRunOriginStore } from '../../adapters/postgres/experiments/postgres-run-origin-store.ts';
import { PostgresRunScores } from '../../adapters/postgres/experiments/postgres-run-scores.ts';
import { PostgresRunTagStore } from '../../adapters/postgres/experiments/postgres-run-tag-store.ts';
import { PostgresRunTotals } from '../../adapters/postgres/experiments/postgres-run-totals.ts';
import { PostgresFileContents } from '../../adapters/postgres/files/postgres-file-contents.ts';
import { PostgresFileStore } from '../../adapters/postgres/files/postgres-file-store.ts';
import { PostgresHealthStore } from '../../adapters/postgres/health/postgres-health-store.ts';
import { PostgresJudgeAuditStore } from '../../adapters/postgres/health/postgres-judge-audit-store.ts';
import { PostgresScorerGateStore } from '../../adapters/postgres/health/postgres-scorer-gate-store.ts';
import { PostgresShadowStore } from '../../adapters/postgres/health/postgres-shadow-store.ts';
import { PostgresTruthColumns } from '../../adapters/postgres/health/postgres-truth-columns.ts';
import { PostgresInsightStore } from '../../adapters/postgres/insights/postgres-insight-store.ts';
import { PostgresIntegrationStore } from '../../adapters/postgres/integrations/postgres-integration-store.ts';
import type { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
import { PostgresJobStore } from '../../adapters/postgres/jobs/postgres-job-store.ts';
import { PostgresMaskingStore } from '../../adapters/postgres/masking/postgres-masking-store.ts';
import { PostgresAnswerCache } from '../../adapters/postgres/models/postgres-answer-cache.ts';
import { PostgresPriceStore } from '../../adapters/postgres/models/postgres-price-store.ts';
import { PostgresSpendingStore } from '../../adapters/postgres/models/postgres-spending-store.ts';
import { PostgresMetricSeriesStore } from '../../adapters/postgres/otel/postgres-metric-series-store.ts';
import { PostgresOtelTraceStore } from '../../adapters/postgres/otel/postgres-otel-trace-store.ts';
import { PostgresSpanLogStore } from '../../adapters/postgres/otel/postgres-span-log-store.ts';
import { PostgresProjectStore } from '../../adapters/postgres/projects/postgres-project-store.ts';
import { PostgresRunDirectory } from '../../adapters/postgres/projects/postgres-run-directory.ts';
import { PostgresPromptUsageStore } from '../../adapters/postgres/prompts/postgres-prompt-usage-store.ts';
import { PostgresTemplateStore } from '../../adapters/postgres/prompts/postgres-template-store.ts';
import { PostgresRatingStore } from '../../adapters/postgres/ratings/postgres-rating-store.ts';
import { PostgresRecordIndex } from '../../adapters/postgres/record-index/postgres-record-index.ts';
import { PostgresSavedViewStore } from '../../adapters/postgres/saved-views/postgres-saved-view-store.ts';
import { PostgresIdleSessions } from '../../adapters/postgres/scorers/postgres-idle-sessions.ts';
import { PostgresJudgeCallStore } from '../../adapters/postgres/scorers/postgres-judge-call-store.ts';
import { PostgresMetricSettingsStore } from '../../adapters/postgres/scorers/postgres-metric-settings-store.ts';
import { PostgresRescoring } from '../../adapters/postgres/scorers/postgres-rescoring.ts';
import { PostgresScoreStore } from '../../adapters/postgres/scorers/postgres-score-store.ts';
import { PostgresScorerStore } from '../../adapters/postgres/scorers/postgres-scorer-store.ts';
import { PostgresScorerUse } from '../../adapters/postgres/scorers/postgres-scorer-use.ts';
import { PostgresScoresBelow } from '../../adapters/postgres/scorers/postgres-scores-below.ts';
import { PostgresScoringBacklog } from '../../adapters/postgres/scorers/postgres-scoring-backlog.ts';
import { PostgresSuspensionStore } from '../../adapters/postgres/scorers/postgres-suspension-store.ts';
import { PostgresValidationStore } from '../../adapters/postgres/scorers/postgres-validation-store.ts';
import { PostgresIngestBatchStore } from '../../adapters/postgres/traces/batches/postgres-ingest-batch-store.ts';
import type { GroupWriter } from '../../adapters/postgres/traces/group-writer.ts';
import { PostgresColumnStore } from '../../adapters/postgres/traces/postgres-column-store.ts';
import { PostgresIdleTraces } from '../../adapters/postgres/traces/postgres-idle-traces.ts';
import { PostgresRecordEstimates } from '../../adapters/postgres/traces/postgres-record-estimates.ts';
import { PostgresRecordRemoval } from '../../adapters/postgres/traces/postgres-record-removal.ts';
import { PostgresRecordScan } from '../../adapters/postgres/traces/postgres-record-scan.ts';
import { PostgresRecordSessionStore } from '../../adapters/postgres/traces/postgres-record-session-store.ts';
import { PostgresRetentionStore } from '../../adapters/postgres/traces/postgres-retention-store.ts';
import { PostgresTraceStore } from '../../adapters/postgres/traces/postgres-trace-store.ts';
import { PostgresAlertStore } from '../../adapters/postgres/trends/postgres-alert-store.ts';
import { PostgresDashboardStore } from '../../adapters/postgres/trends/postgres-dashboard-store.ts';
import { PostgresNotificationRouteStore } from '../../adapters/postgres/trends/postgres-notification-route-store.ts';
import { PostgresRunMetrics } from '../../adapters/postgres/trends/postgres-run-metrics.ts';
import { PostgresSeriesStore } from '../../adapters/postgres/trends/postgres-series-store.ts';
import { PostgresTrendStore } from '../../adapters/postgres/trends/postgres-trend-store.ts';
import { PostgresWorkList } from '../../adapters/postgres/trends/postgres-work-list.ts';
import type { JobQueue } from '../../core/jobs/job-store.ts';
import type { Transactions } from '../../core/kernel/ports.ts';
import type { ScoringQueue } from '../../core/scorers/scoring/scoring-queue.ts';
import type { WriteQueue } from '../../core/traces/write-queue.ts';
import type { Adapters, Registrations } from '../cradle.ts';
import { factory, value } from './registration.ts';

/** The stores on PostgreSQL. The writer and the queue are opened by the caller, who also closes them. */
export function postgresAdapters(open: {
  orm: MikroORM;
  groupWriter: GroupWriter;
  queues: PgBossQueues;
  /** For what may be read a moment late, see `ReadReplica`; undefined: everything is read where it is written. */
  reads?: Kysely<Tables> | undefined;
}): Registrations<Adapters> {
  const session = new PostgresSession({ orm: open.orm });
  const late = open.reads === undefined ? session : new PostgresSession({ orm: open.orm, reads: open.reads });
  type StoreClass<T> = new (deps: { session: PostgresSession }) => T;
  const on = <T>(Store: StoreClass<T>) => factory(() => new Store({ session }));
  const onLate = <T>(Store: StoreClass<T>) => factory(() => new Store({ session: late }));
  const { groupWriter, queues } = open;
  const { scoring, modelScoring, jobs } = queues;
  return {
    transactions: value<Transactions>(session),
    accessStore: on(PostgresAccessStore),
    loginStore: on(PostgresLoginStore),
    collaboratorStore: on(PostgresCollaboratorStore),
    groupStore: on(PostgresGroupStore),
    provisioningStore: on(PostgresProvisioningStore),
    auditStore: on(PostgresAuditStore),
    projectStore: on(PostgresProjectStore),
    runOriginStore: on(PostgresRunOriginStore),
    traceStore: factory(() => new PostgresTraceStore({ session, groupWriter, enqueueWithin: scoring.enqueueWithin })),
    otelTraceStore: factory(
      () => new PostgresOtelTraceStore({ session, columns: groupWriter.columns, enqueueWithin: scoring.enqueueWithin }),
    ),
    spanLogStore: on(PostgresSpanLogStore),
    metricSeriesStore: on(PostgresMetricSeriesStore),
    writeQueue: value<WriteQueue>(groupWriter),
    idleTraces: factory(() => new PostgresIdleTraces({ session, enqueueWithin: scoring.enqueueWithin })),
    runDirectory: on(PostgresRunDirectory),
    sessionStore: on(PostgresRecordSessionStore),
    scorerStore: on(PostgresScorerStore),
    scorerUse: on(PostgresScorerUse),
    validationStore: on(PostgresValidationStore),
    scoreStore: on(PostgresScoreStore),
    sessionScoreStore: factory(() => new PostgresScoreStore({ session, of: 'sessions' })),
    judgeCallStore: on(PostgresJudgeCallStore),
    shadowScoreStore: factory(() => new PostgresScoreStore({ session, of: 'shadows' })),
    shadowStore: on(PostgresShadowStore),
    idleSessions: factory(() => new PostgresIdleSessions({ session, enqueueWithin: scoring.enqueueWithin })),
    scoresBelow: on(PostgresScoresBelow),
    answerCache: on(PostgresAnswerCache),
    priceStore: on(PostgresPriceStore),
    spendingStore: on(PostgresSpendingStore),
    columnStore: on(PostgresColumnStore),
    metricSettingsStore: on(PostgresMetricSettingsStore),
    scoringQueue: value<ScoringQueue>(scoring),
    modelScoringQueue: value<ScoringQueue>(modelScoring),
    scoringBacklog: factory(() => new PostgresScoringBacklog({ session, queueNames: [...scoring.names, ...modelScoring.names] })),
    suspensionStore: on(PostgresSuspensionStore),
    fileStore: on(PostgresFileStore),
    fileContents: on(PostgresFileContents),
    databaseFileContents: on(PostgresFileContents),
    maskingStore: on(PostgresMaskingStore),
    savedViewStore: on(PostgresSavedViewStore),
    ingestBatchStore: on(PostgresIngestBatchStore),
    ratingStore: on(PostgresRatingStore),
    commentStore: on(PostgresCommentStore),
    bookmarkStore: on(PostgresBookmarkStore),
    datasetRuleStore: on(PostgresDatasetRuleStore),
    dataExportStore: on(PostgresDataExportStore),
    annotationQueueStore: on(PostgresAnnotationQueueStore),
    jobStore: factory(() => new PostgresJobStore({ session, enqueueWithin: jobs.enqueueWithin })),
    jobQueue: value<JobQueue>(jobs),
    trendStore: onLate(PostgresTrendStore),
    seriesStore: onLate(PostgresSeriesStore),
    dashboardStore: on(PostgresDashboardStore),
    alertStore: on(PostgresAlertStore),
    notificationRouteStore: on(PostgresNotificationRouteStore),
    workList: on(PostgresWorkList),
    insightStore: on(PostgresInsightStore),
    recordIndex: on(PostgresRecordIndex),
    datasetStore: on(PostgresDatasetStore),
    // Its session is its own: an import is watched while the transaction that stores its rows is open.
    importProgress: factory(() => new PostgresImportProgress({ session: new PostgresSession({ orm: open.orm }) })),
    datasetContentStore: on(PostgresDatasetContentStore),
    experimentStore: on(PostgresExperimentStore),
    runTagStore: on(PostgresRunTagStore),
    runScores: on(PostgresRunScores),
    runTotals: on(PostgresRunTotals),
    templateStore: on(PostgresTemplateStore),
    promptUsageStore: onLate(PostgresPromptUsageStore),
    healthStore: on(PostgresHealthStore),
    truthColumns: on(PostgresTruthColumns),
    scorerGateStore: on(PostgresScorerGateStore),
    judgeAuditStore: on(PostgresJudgeAuditStore),
    integrationStore: on(PostgresIntegrationStore),
    recordEstimates: on(PostgresRecordEstimates),
    recordScan: on(PostgresRecordScan),
    reportScan: onLate(PostgresRecordScan),
    recordRemoval: on(PostgresRecordRemoval),
    rescoring: factory(() => new PostgresRescoring({ session, enqueueWithin: scoring.enqueueWithin })),
    runMetrics: onLate(PostgresRunMetrics),
    retentionStore: on(PostgresRetentionStore),
  };
}
