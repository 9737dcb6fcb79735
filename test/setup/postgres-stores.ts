import { PostgresAnnotationQueueStore } from '../../adapters/postgres/annotation/postgres-annotation-queue-store.ts';
import { PostgresBookmarkStore } from '../../adapters/postgres/bookmarks/postgres-bookmark-store.ts';
import { PostgresCommentStore } from '../../adapters/postgres/comments/postgres-comment-store.ts';
import { PostgresDataExportStore } from '../../adapters/postgres/data-export/postgres-data-export-store.ts';
import { PostgresDatasetRuleStore } from '../../adapters/postgres/datasets/postgres-dataset-rule-store.ts';
import { PostgresFileContents } from '../../adapters/postgres/files/postgres-file-contents.ts';
import { PostgresFileStore } from '../../adapters/postgres/files/postgres-file-store.ts';
import { PostgresInsightStore } from '../../adapters/postgres/insights/postgres-insight-store.ts';
import { PgBossQueues } from '../../adapters/postgres/jobs/pg-boss-queues.ts';
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
import { PostgresRatingStore } from '../../adapters/postgres/ratings/postgres-rating-store.ts';
import { PostgresRecordIndex } from '../../adapters/postgres/record-index/postgres-record-index.ts';
import { PostgresSavedViewStore } from '../../adapters/postgres/saved-views/postgres-saved-view-store.ts';
import { PostgresIdleSessions } from '../../adapters/postgres/scorers/postgres-idle-sessions.ts';
import { PostgresJudgeCallStore } from '../../adapters/postgres/scorers/postgres-judge-call-store.ts';
import { PostgresMetricSettingsStore } from '../../adapters/postgres/scorers/postgres-metric-settings-store.ts';
import { PostgresRescoring } from '../../adapters/postgres/scorers/postgres-rescoring.ts';
import { PostgresScoreStore } from '../../adapters/postgres/scorers/postgres-score-store.ts';
import { PostgresScoresBelow } from '../../adapters/postgres/scorers/postgres-scores-below.ts';
import { PostgresIngestBatchStore } from '../../adapters/postgres/traces/batches/postgres-ingest-batch-store.ts';
import { GroupWriter, type GroupWriterSettings } from '../../adapters/postgres/traces/group-writer.ts';
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
import type { RecordIndex } from '../../core/record-index/record-index.ts';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';
import type { RecordStores } from '../contracts/traces/record-stores.ts';
import { type MigratedDatabase, openMigratedDatabase } from './migrated-database.ts';
import { silent } from './silent.ts';

export interface PostgresStores extends RecordStores {
  readonly database: MigratedDatabase;
  readonly queues: PgBossQueues;
  readonly groupWriter: GroupWriter;
  readonly recordIndex: RecordIndex;
}

/** All stores around records on a fresh database. Nobody works on its queue. */
export async function openPostgresStores(settings: Partial<GroupWriterSettings> = {}): Promise<PostgresStores> {
  const database = await openMigratedDatabase();
  const { session, url } = database;
  const queues = new PgBossQueues({ url, concurrency: 2, log: silent });
  await queues.start();
  const { enqueueWithin } = queues.scoring;
  const groupWriter = new GroupWriter({ url, log: silent, enqueueWithin, settings });
  const recordIndex = new PostgresRecordIndex({ session });
  return {
    database,
    transactions: session,
    queues,
    groupWriter,
    projectStore: new PostgresProjectStore({ session }),
    traceStore: new PostgresTraceStore({ session, groupWriter, enqueueWithin }),
    spanLogStore: new PostgresSpanLogStore({ session }),
    metricSeriesStore: new PostgresMetricSeriesStore({ session }),
    otelTraceStore: new PostgresOtelTraceStore({ session, columns: groupWriter.columns, enqueueWithin }),
    idleTraces: new PostgresIdleTraces({ session, enqueueWithin }),
    sessionStore: new PostgresRecordSessionStore({ session }),
    scoreStore: new PostgresScoreStore({ session }),
    judgeCallStore: new PostgresJudgeCallStore({ session }),
    sessionScoreStore: new PostgresScoreStore({ session, of: 'sessions' }),
    idleSessions: new PostgresIdleSessions({ session, enqueueWithin }),
    scoresBelow: new PostgresScoresBelow({ session }),
    answerCache: new PostgresAnswerCache({ session }),
    priceStore: new PostgresPriceStore({ session }),
    fileStore: new PostgresFileStore({ session }),
    fileContents: new PostgresFileContents({ session }),
    savedViewStore: new PostgresSavedViewStore({ session }),
    maskingStore: new PostgresMaskingStore({ session }),
    ingestBatchStore: new PostgresIngestBatchStore({ session }),
    spendingStore: new PostgresSpendingStore({ session }),
    ratingStore: new PostgresRatingStore({ session }),
    bookmarkStore: new PostgresBookmarkStore({ session }),
    commentStore: new PostgresCommentStore({ session }),
    datasetRuleStore: new PostgresDatasetRuleStore({ session }),
    dataExportStore: new PostgresDataExportStore({ session }),
    annotationQueueStore: new PostgresAnnotationQueueStore({ session }),
    columnStore: new PostgresColumnStore({ session }),
    metricSettingsStore: new PostgresMetricSettingsStore({ session }),
    runDirectory: new PostgresRunDirectory({ session }),
    recordIndex,
    trendStore: new PostgresTrendStore({ session }),
    promptUsageStore: new PostgresPromptUsageStore({ session }),
    seriesStore: new PostgresSeriesStore({ session }),
    dashboardStore: new PostgresDashboardStore({ session }),
    alertStore: new PostgresAlertStore({ session }),
    notificationRouteStore: new PostgresNotificationRouteStore({ session }),
    workList: new PostgresWorkList({ session }),
    insightStore: new PostgresInsightStore({ session }),
    recordEstimates: new PostgresRecordEstimates({ session }),
    recordScan: new PostgresRecordScan({ session }),
    recordRemoval: new PostgresRecordRemoval({ session }),
    rescoring: new PostgresRescoring({ session, enqueueWithin }),
    runMetrics: new PostgresRunMetrics({ session }),
    retentionStore: new PostgresRetentionStore({ session }),
    settle: async () => {
      while ((await recordIndex.advance(50)) > 0);
    },
    jobs: async ({ run_id }) => {
      const rows = await session.sql<{ data: ScoringJob }>(
        `select data from pgboss.job where name = 'scoring' and data ->> 'run_id' = $1 order by created_on`,
        [run_id],
      );
      return rows.map(({ data }) => data);
    },
    close: async () => {
      await groupWriter.close();
      await queues.stop(1_000);
      await database.close();
    },
  };
}
