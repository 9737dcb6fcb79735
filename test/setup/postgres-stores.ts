import { GroupWriter, type GroupWriterSettings } from '../../adapters/postgres/group-writer.ts';
import { PgBossQueues } from '../../adapters/postgres/pg-boss-queues.ts';
import { PostgresAlertStore } from '../../adapters/postgres/postgres-alert-store.ts';
import { PostgresAnnotationQueueStore } from '../../adapters/postgres/postgres-annotation-queue-store.ts';
import { PostgresAnswerCache } from '../../adapters/postgres/postgres-answer-cache.ts';
import { PostgresColumnStore } from '../../adapters/postgres/postgres-column-store.ts';
import { PostgresDashboardStore } from '../../adapters/postgres/postgres-dashboard-store.ts';
import { PostgresInsightStore } from '../../adapters/postgres/postgres-insight-store.ts';
import { PostgresMetricSettingsStore } from '../../adapters/postgres/postgres-metric-settings-store.ts';
import { PostgresOtelTraceStore } from '../../adapters/postgres/postgres-otel-trace-store.ts';
import { PostgresProjectStore } from '../../adapters/postgres/postgres-project-store.ts';
import { PostgresQuietSessions } from '../../adapters/postgres/postgres-quiet-sessions.ts';
import { PostgresQuietTraces } from '../../adapters/postgres/postgres-quiet-traces.ts';
import { PostgresRatingStore } from '../../adapters/postgres/postgres-rating-store.ts';
import { PostgresRecordIndex } from '../../adapters/postgres/postgres-record-index.ts';
import { PostgresRecordRemoval } from '../../adapters/postgres/postgres-record-removal.ts';
import { PostgresRecordScan } from '../../adapters/postgres/postgres-record-scan.ts';
import { PostgresRecordSessionStore } from '../../adapters/postgres/postgres-record-session-store.ts';
import { PostgresRescoring } from '../../adapters/postgres/postgres-rescoring.ts';
import { PostgresRetentionStore } from '../../adapters/postgres/postgres-retention-store.ts';
import { PostgresRunDirectory } from '../../adapters/postgres/postgres-run-directory.ts';
import { PostgresRunMetrics } from '../../adapters/postgres/postgres-run-metrics.ts';
import { PostgresScoreStore } from '../../adapters/postgres/postgres-score-store.ts';
import { PostgresScoresBelow } from '../../adapters/postgres/postgres-scores-below.ts';
import { PostgresSeriesStore } from '../../adapters/postgres/postgres-series-store.ts';
import { PostgresSpendingStore } from '../../adapters/postgres/postgres-spending-store.ts';
import { PostgresTraceStore } from '../../adapters/postgres/postgres-trace-store.ts';
import { PostgresTrendStore } from '../../adapters/postgres/postgres-trend-store.ts';
import { PostgresWorkList } from '../../adapters/postgres/postgres-work-list.ts';
import type { ScoringJob } from '../../core/scorers/scoring-queue.ts';
import type { RecordIndex } from '../../core/trends/record-index.ts';
import type { RecordStores } from '../contracts/record-stores.ts';
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
    queues,
    groupWriter,
    projectStore: new PostgresProjectStore({ session }),
    traceStore: new PostgresTraceStore({ session, groupWriter, enqueueWithin }),
    otelTraceStore: new PostgresOtelTraceStore({ session, columns: groupWriter.columns, enqueueWithin }),
    quietTraces: new PostgresQuietTraces({ session, enqueueWithin }),
    sessionStore: new PostgresRecordSessionStore({ session }),
    scoreStore: new PostgresScoreStore({ session }),
    sessionScoreStore: new PostgresScoreStore({ session, of: 'sessions' }),
    quietSessions: new PostgresQuietSessions({ session, enqueueWithin }),
    scoresBelow: new PostgresScoresBelow({ session }),
    answerCache: new PostgresAnswerCache({ session }),
    spendingStore: new PostgresSpendingStore({ session }),
    ratingStore: new PostgresRatingStore({ session }),
    annotationQueueStore: new PostgresAnnotationQueueStore({ session }),
    columnStore: new PostgresColumnStore({ session }),
    metricSettingsStore: new PostgresMetricSettingsStore({ session }),
    runDirectory: new PostgresRunDirectory({ session }),
    recordIndex,
    trendStore: new PostgresTrendStore({ session }),
    seriesStore: new PostgresSeriesStore({ session }),
    dashboardStore: new PostgresDashboardStore({ session }),
    alertStore: new PostgresAlertStore({ session }),
    workList: new PostgresWorkList({ session }),
    insightStore: new PostgresInsightStore({ session }),
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
