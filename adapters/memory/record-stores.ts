import type { Clock } from '../../core/kernel/ports.ts';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';
import { MemoryAnnotationQueueStore } from './annotation/memory-annotation-queue-store.ts';
import { MemoryBookmarkStore } from './bookmarks/memory-bookmark-store.ts';
import { MemoryCommentStore } from './comments/memory-comment-store.ts';
import { MemoryDataExportStore } from './data-export/memory-data-export-store.ts';
import { MemoryDatasetRuleStore } from './datasets/memory-dataset-rule-store.ts';
import { MemoryFileContents } from './files/memory-file-contents.ts';
import { MemoryFileStore } from './files/memory-file-store.ts';
import { MemoryShadowStore } from './health/memory-shadow-store.ts';
import { MemoryInsightStore } from './insights/memory-insight-store.ts';
import { MemoryMaskingStore } from './masking/memory-masking-store.ts';
import type { MemoryDatabase } from './memory-database.ts';
import { MemoryAnswerCache } from './models/memory-answer-cache.ts';
import { MemoryPriceStore } from './models/memory-price-store.ts';
import { MemorySpendingStore } from './models/memory-spending-store.ts';
import { MemoryMetricSeriesStore } from './otel/memory-metric-series-store.ts';
import { MemoryOtelTraceStore } from './otel/memory-otel-trace-store.ts';
import { MemorySpanLogStore } from './otel/memory-span-log-store.ts';
import { MemoryProjectStore } from './projects/memory-project-store.ts';
import type { RunExists } from './projects/run-exists.ts';
import { MemoryPromptUsageStore } from './prompts/memory-prompt-usage-store.ts';
import { MemoryRatingStore } from './ratings/memory-rating-store.ts';
import { MemorySavedViewStore } from './saved-views/memory-saved-view-store.ts';
import { MemoryIdleSessions } from './scorers/memory-idle-sessions.ts';
import { MemoryJudgeCallStore } from './scorers/memory-judge-call-store.ts';
import { MemoryMetricSettingsStore } from './scorers/memory-metric-settings-store.ts';
import { MemoryScoreStore } from './scorers/memory-score-store.ts';
import { MemoryScoresBelow } from './scorers/memory-scores-below.ts';
import { MemoryColumnStore } from './traces/memory-column-store.ts';
import { MemoryIdleTraces } from './traces/memory-idle-traces.ts';
import { MemoryIngestBatchStore } from './traces/memory-ingest-batch-store.ts';
import { memoryRecordOperations } from './traces/memory-record-operations.ts';
import { MemorySessionStore } from './traces/memory-session-store.ts';
import { MemoryTraceStore } from './traces/memory-trace-store.ts';
import { MemoryAlertStore } from './trends/memory-alert-store.ts';
import { MemoryDashboardStore } from './trends/memory-dashboard-store.ts';
import { MemoryNotificationRouteStore } from './trends/memory-notification-route-store.ts';
import { MemorySeriesStore } from './trends/memory-series-store.ts';
import { MemoryTrendStore } from './trends/memory-trend-store.ts';
import { MemoryWorkList } from './trends/memory-work-list.ts';

export interface Surroundings {
  readonly database: MemoryDatabase;
  readonly clock: Clock;
  enqueue(job: ScoringJob): void;
}

/** Memory stores around records that share what the stores of one database share. */
export function memoryRecordStores({ database, clock, enqueue }: Surroundings) {
  const projectStore = new MemoryProjectStore({ database });
  const settings = new MemoryMetricSettingsStore({ database, projectStore, clock });
  const datasetRuleStore = new MemoryDatasetRuleStore({ database });
  const noteChange = datasetRuleStore.note.bind(datasetRuleStore);
  const scoreStore = new MemoryScoreStore({ database, noteChange, recordExists: (...key) => traceStore.has(...key) });
  const idleSessions = new MemoryIdleSessions({ database, clock, enqueue });
  const answerCache = new MemoryAnswerCache({ database });
  const notificationRouteStore = new MemoryNotificationRouteStore({ database });
  const maskingStore = new MemoryMaskingStore({ database });
  const savedViewStore = new MemorySavedViewStore({ database });
  const ingestBatchStore = new MemoryIngestBatchStore({ database });
  const fileContents = new MemoryFileContents({ database });
  const fileStore = new MemoryFileStore({ database, recordExists: (...key) => traceStore.has(...key) });
  const priceStore = new MemoryPriceStore({ database });
  const spendingStore = new MemorySpendingStore({ database });
  const sessionScoreStore = new MemoryScoreStore({
    database,
    recordExists: async (project_id, run_id, id) => (await sessionStore.find(project_id, id, run_id)) !== undefined,
  });
  const shadowScoreStore = new MemoryScoreStore({ database, recordExists: (...key) => recordExists(...key) });
  const shadowStore = new MemoryShadowStore({ database, shadowScoreStore });
  const recordExists = async (project_id: string, run_id: string, id: string): Promise<boolean> =>
    traceStore.has(project_id, run_id, id) || (await sessionStore.find(project_id, id, run_id)) !== undefined;
  const ratingStore = new MemoryRatingStore({ database, recordExists, noteChange });
  const commentStore = new MemoryCommentStore({ database, recordExists, noteChange });
  const bookmarkStore = new MemoryBookmarkStore({
    database,
    describe: async (project_id, run_id, id) => {
      const record = await traceStore.find(project_id, id, run_id);
      if (record) {
        const { type, trace_id, name } = record;
        return { record_type: type === 'trace' ? 'trace' : 'span', trace_id, name };
      }
      const session = await sessionStore.find(project_id, id, run_id);
      return session && { record_type: 'session', trace_id: null, name: session.name ?? '' };
    },
  });
  const traceStore = new MemoryTraceStore({
    database,
    runDirectory: settings,
    clock,
    enqueue,
    toScore: (record, metric_name) => scoreStore.newest(record, metric_name)?.value ?? null,
    toAgreement: (record, metric_name) => scoreStore.newest(record, metric_name)?.effort?.agreement ?? null,
    toRating: (key, column) => ratingStore.valueIn(key, column),
    countComments: (key) => commentStore.countOf(key),
    noteColumns: (records) => columnStore.note(records),
    noteChange,
    removeLogs: (project_id, run_id, ids) => {
      spanLogStore.removeAll(project_id, run_id, ids);
      fileStore.leave(project_id, run_id, ids);
    },
    removeRatings: (project_id, run_id, ids) => {
      ratingStore.removeAll(project_id, run_id, ids);
      commentStore.removeAll(project_id, run_id, ids);
      bookmarkStore.removeAll(project_id, run_id, ids);
      annotationQueueStore.removeAll(project_id, run_id, ids);
    },
    removeColumns: (project_id, run_id) => columnStore.removeAll(project_id, run_id),
    removeScores: (project_id, run_id) => {
      scoreStore.removeAll(project_id, run_id);
      sessionScoreStore.removeAll(project_id, run_id);
      shadowStore.removeAll(project_id, run_id);
      idleSessions.removeAll(project_id, run_id);
      answerCache.removeAll(project_id, run_id);
      spendingStore.removeAll(project_id, run_id);
      datasetRuleStore.removeAll(project_id, run_id);
      metricSeriesStore.removeAll(project_id, run_id);
      if (run_id === undefined) priceStore.remove(project_id);
      if (run_id === undefined) maskingStore.remove(project_id);
      if (run_id === undefined) notificationRouteStore.removeAll(project_id);
      if (run_id === undefined) savedViewStore.removeAll(project_id);
      if (run_id === undefined) ingestBatchStore.remove(project_id);
      if (run_id === undefined) fileStore.remove(project_id);
      if (run_id === undefined) dataExportStore.removeProject(project_id);
    },
    keepSessions: (sessions) => sessionStore.keep(sessions),
    removeSessions: (project_id, run_id) => sessionStore.removeAll(project_id, run_id),
  });
  const sessionStore = new MemorySessionStore({
    database,
    runDirectory: settings,
    records: (project_id) => traceStore.toRecords(project_id),
    toRating: (key, column) => ratingStore.valueIn(key, column),
    countComments: (key) => commentStore.countOf(key),
    removeTraces: (...asked) => operations.recordRemoval.removeTraces(...asked),
    removeRatings: (project_id, run_id, ids) => {
      ratingStore.removeAll(project_id, run_id, ids);
      commentStore.removeAll(project_id, run_id, ids);
      bookmarkStore.removeAll(project_id, run_id, ids);
    },
    markRun: (project_id, run_id) => projectStore.markUserSessions(project_id, run_id),
  });
  const operations = memoryRecordOperations({
    database,
    traceStore,
    scoreStore,
    ratingStore,
    commentStore,
    sessionScoreStore,
    sessionStore,
    enqueue,
  });
  const annotationQueueStore = new MemoryAnnotationQueueStore({
    database,
    toCreatedAt: async (project_id, run_id, id) => (await traceStore.find(project_id, id, run_id))?.created_at ?? null,
    toDisagreement: async (project_id, run_id, id, scorer_id) => {
      const scores = await scoreStore.list(project_id, run_id, [id]);
      const agreement = scores.findLast((score) => score.scorer_id === scorer_id)?.effort?.agreement;
      return agreement === undefined ? null : 1 - agreement;
    },
  });
  const columnStore = new MemoryColumnStore({ database, traceStore, scoreStore, sessionStore, ratingStore });
  const dataExportStore = new MemoryDataExportStore({
    database,
    traceStore,
    sessionStore,
    scoreStore,
    sessionScoreStore,
    ratingStore,
  });
  const runExists: RunExists = async (project_id, run_id) => (await settings.findRun(project_id, run_id)) !== undefined;
  const spanLogStore = new MemorySpanLogStore({ database, runExists });
  const metricSeriesStore = new MemoryMetricSeriesStore({ database, runExists });
  return {
    projectStore,
    traceStore,
    sessionStore,
    spanLogStore,
    metricSeriesStore,
    otelTraceStore: new MemoryOtelTraceStore({ traceStore, runDirectory: settings, enqueue }),
    idleTraces: new MemoryIdleTraces({ traceStore, clock }),
    idleSessions,
    answerCache,
    scoresBelow: new MemoryScoresBelow({ traceStore, scoreStore }),
    spendingStore,
    priceStore,
    maskingStore,
    savedViewStore,
    bookmarkStore,
    commentStore,
    datasetRuleStore,
    dataExportStore,
    ingestBatchStore,
    fileStore,
    fileContents,
    databaseFileContents: fileContents,
    scoreStore,
    ratingStore,
    annotationQueueStore,
    sessionScoreStore,
    judgeCallStore: new MemoryJudgeCallStore({
      database,
      recordExists: async ({ project_id, run_id, record_id }) =>
        (await traceStore.has(project_id, run_id, record_id)) ||
        (await sessionStore.find(project_id, record_id, run_id)) !== undefined,
    }),
    shadowScoreStore,
    shadowStore,
    columnStore,
    metricSettingsStore: settings,
    runDirectory: settings,
    promptUsageStore: new MemoryPromptUsageStore({ traceStore, scoreStore, ratingStore }),
    trendStore: new MemoryTrendStore({ traceStore, scoreStore, ratingStore }),
    seriesStore: new MemorySeriesStore({ traceStore, scoreStore, ratingStore, commentStore }),
    alertStore: new MemoryAlertStore({ database }),
    notificationRouteStore,
    workList: new MemoryWorkList({ database }),
    insightStore: new MemoryInsightStore({ database, runExists }),
    dashboardStore: new MemoryDashboardStore({ database, runExists }),
    ...operations,
  };
}
