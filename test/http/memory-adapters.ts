import { type asFunction, asValue } from 'awilix';
import { MemoryAccessStore } from '../../adapters/memory/memory-access-store.ts';
import { MemoryAlertStore } from '../../adapters/memory/memory-alert-store.ts';
import { MemoryAnnotationQueueStore } from '../../adapters/memory/memory-annotation-queue-store.ts';
import { MemoryAnswerCache } from '../../adapters/memory/memory-answer-cache.ts';
import { MemoryAuditStore } from '../../adapters/memory/memory-audit-store.ts';
import { MemoryCollaboratorStore } from '../../adapters/memory/memory-collaborator-store.ts';
import { MemoryColumnStore } from '../../adapters/memory/memory-column-store.ts';
import { MemoryDashboardStore } from '../../adapters/memory/memory-dashboard-store.ts';
import { MemoryDatasetContentStore } from '../../adapters/memory/memory-dataset-content-store.ts';
import { type KeptContent, MemoryDatasetStore } from '../../adapters/memory/memory-dataset-store.ts';
import { MemoryExperimentStore } from '../../adapters/memory/memory-experiment-store.ts';
import { MemoryGroupStore } from '../../adapters/memory/memory-group-store.ts';
import { MemoryHealthStore } from '../../adapters/memory/memory-health-store.ts';
import { MemoryImportProgress } from '../../adapters/memory/memory-import-progress.ts';
import { MemoryInsightStore } from '../../adapters/memory/memory-insight-store.ts';
import { MemoryIntegrationStore } from '../../adapters/memory/memory-integration-store.ts';
import { MemoryJobStore } from '../../adapters/memory/memory-job-store.ts';
import { MemoryLoginStore } from '../../adapters/memory/memory-login-store.ts';
import { MemoryMetricSettingsStore } from '../../adapters/memory/memory-metric-settings-store.ts';
import { MemoryOtelTraceStore } from '../../adapters/memory/memory-otel-trace-store.ts';
import { MemoryProjectStore } from '../../adapters/memory/memory-project-store.ts';
import { MemoryQueue } from '../../adapters/memory/memory-queue.ts';
import { MemoryQuietSessions } from '../../adapters/memory/memory-quiet-sessions.ts';
import { MemoryQuietTraces } from '../../adapters/memory/memory-quiet-traces.ts';
import { MemoryRatingStore } from '../../adapters/memory/memory-rating-store.ts';
import { MemoryRecordIndex } from '../../adapters/memory/memory-record-index.ts';
import { memoryRecordOperations } from '../../adapters/memory/memory-record-operations.ts';
import { MemoryRunOriginStore } from '../../adapters/memory/memory-run-origin-store.ts';
import { MemoryRunScores } from '../../adapters/memory/memory-run-scores.ts';
import { MemoryRunTagStore } from '../../adapters/memory/memory-run-tag-store.ts';
import { MemoryRunTotals } from '../../adapters/memory/memory-run-totals.ts';
import { MemoryScoreStore } from '../../adapters/memory/memory-score-store.ts';
import { MemoryScorerGateStore } from '../../adapters/memory/memory-scorer-gate-store.ts';
import { MemoryScorerStore } from '../../adapters/memory/memory-scorer-store.ts';
import { MemoryScorerUse } from '../../adapters/memory/memory-scorer-use.ts';
import { MemoryScoresBelow } from '../../adapters/memory/memory-scores-below.ts';
import { MemorySeriesStore } from '../../adapters/memory/memory-series-store.ts';
import { MemorySessionStore } from '../../adapters/memory/memory-session-store.ts';
import { MemoryShadowStore } from '../../adapters/memory/memory-shadow-store.ts';
import { MemorySpendingStore } from '../../adapters/memory/memory-spending-store.ts';
import { MemoryTemplateStore } from '../../adapters/memory/memory-template-store.ts';
import { MemoryTraceStore } from '../../adapters/memory/memory-trace-store.ts';
import { MemoryTransactions } from '../../adapters/memory/memory-transactions.ts';
import { MemoryTrendStore } from '../../adapters/memory/memory-trend-store.ts';
import { MemoryTruthColumns } from '../../adapters/memory/memory-truth-columns.ts';
import { MemoryValidationStore } from '../../adapters/memory/memory-validation-store.ts';
import { MemoryWorkList } from '../../adapters/memory/memory-work-list.ts';
import { runExistsIn } from '../../adapters/memory/run-exists.ts';
import type { Adapters } from '../../config/cradle.ts';
import type { JobTicket } from '../../core/jobs/job-store.ts';
import type { ScoringJob } from '../../core/scorers/scoring-queue.ts';

/** Memory stores that share what the stores of one database share. */
export function memoryAdapters(): { [Name in keyof Adapters]: ReturnType<typeof asFunction<Adapters[Name]>> } {
  const clock = () => new Date();
  const projectStore = new MemoryProjectStore();
  const contents = new Map<string, KeptContent>();
  const settings = new MemoryMetricSettingsStore({ projectStore, clock });
  const scoringQueue = new MemoryQueue<ScoringJob>();
  const jobQueue = new MemoryQueue<JobTicket>();
  const scoreStore = new MemoryScoreStore({ recordExists: (...key) => traceStore.has(...key) });
  const quietSessions = new MemoryQuietSessions({ clock, enqueue: scoringQueue.enqueue });
  const answerCache = new MemoryAnswerCache();
  const spendingStore = new MemorySpendingStore();
  const sessionScoreStore = new MemoryScoreStore({
    recordExists: async (project_id, run_id, id) => (await sessionStore.find(project_id, id, run_id)) !== undefined,
  });
  const shadowScoreStore = new MemoryScoreStore({ recordExists: (...key) => traceStore.has(...key) });
  const shadowStore = new MemoryShadowStore({ shadowScoreStore });
  const traceStore = new MemoryTraceStore({
    runDirectory: settings,
    clock,
    enqueue: scoringQueue.enqueue,
    scoreOf: (record, metric_name) => scoreStore.newest(record, metric_name),
    noteColumns: (records) => columnStore.note(records),
    removeColumns: (project_id, run_id) => columnStore.removeAll(project_id, run_id),
    removeScores: (project_id, run_id) => {
      scoreStore.removeAll(project_id, run_id);
      sessionScoreStore.removeAll(project_id, run_id);
      shadowStore.removeAll(project_id, run_id);
      quietSessions.removeAll(project_id, run_id);
      answerCache.removeAll(project_id, run_id);
      spendingStore.removeAll(project_id, run_id);
    },
    keepSessions: (sessions) => sessionStore.keep(sessions),
    removeSessions: (project_id, run_id) => sessionStore.removeAll(project_id, run_id),
  });
  const sessionStore = new MemorySessionStore({
    runDirectory: settings,
    records: (project_id) => traceStore.recordsOf(project_id),
    removeTraces: (...asked) => operations.recordRemoval.removeTraces(...asked),
    markRun: (project_id, run_id) => projectStore.markUserSessions(project_id, run_id),
  });
  const operations = memoryRecordOperations({
    traceStore,
    scoreStore,
    sessionScoreStore,
    sessionStore,
    enqueue: scoringQueue.enqueue,
  });
  const columnStore = new MemoryColumnStore({ recordsOf: (...key) => traceStore.recordsOf(...key), scoreStore });
  const adapters: Adapters = {
    transactions: new MemoryTransactions(),
    accessStore: new MemoryAccessStore(),
    loginStore: new MemoryLoginStore(),
    collaboratorStore: new MemoryCollaboratorStore(),
    groupStore: new MemoryGroupStore(),
    integrationStore: new MemoryIntegrationStore(),
    shadowScoreStore,
    shadowStore,
    healthStore: new MemoryHealthStore(),
    truthColumns: new MemoryTruthColumns(),
    scorerGateStore: new MemoryScorerGateStore(),
    auditStore: new MemoryAuditStore(),
    projectStore,
    runOriginStore: new MemoryRunOriginStore({ projectStore }),
    traceStore,
    otelTraceStore: new MemoryOtelTraceStore({ traceStore, runDirectory: settings, enqueue: scoringQueue.enqueue }),
    quietTraces: new MemoryQuietTraces({ traceStore, clock }),
    quietSessions,
    answerCache,
    scoresBelow: new MemoryScoresBelow({ recordsOf: (...key) => traceStore.recordsOf(...key), scoreStore }),
    spendingStore,
    sessionStore,
    runDirectory: settings,
    scorerStore: new MemoryScorerStore(),
    validationStore: new MemoryValidationStore(),
    scorerUse: new MemoryScorerUse({ projectStore, metricSettingsStore: settings }),
    scoreStore,
    sessionScoreStore,
    columnStore,
    metricSettingsStore: settings,
    scoringQueue,
    ratingStore: new MemoryRatingStore({ recordExists: (...key) => traceStore.has(...key) }),
    annotationQueueStore: new MemoryAnnotationQueueStore(),
    jobStore: new MemoryJobStore({ enqueue: jobQueue.enqueue }),
    jobQueue,
    trendStore: new MemoryTrendStore({
      recordsOf: (project_id, run_id) => traceStore.recordsOf(project_id, run_id),
      scoresOf: (project_id, run_id, ids) => scoreStore.list(project_id, run_id, ids),
    }),
    seriesStore: new MemorySeriesStore({
      recordsOf: (project_id, run_id) => traceStore.recordsOf(project_id, run_id),
      scoresOf: (project_id, run_id, ids) => scoreStore.list(project_id, run_id, ids),
    }),
    alertStore: new MemoryAlertStore(),
    workList: new MemoryWorkList(),
    insightStore: new MemoryInsightStore({
      runExists: async (project_id, run_id) => (await settings.findRun(project_id, run_id)) !== undefined,
    }),
    dashboardStore: new MemoryDashboardStore({
      runExists: async (project_id, run_id) => (await settings.findRun(project_id, run_id)) !== undefined,
    }),
    recordIndex: new MemoryRecordIndex(),
    datasetStore: new MemoryDatasetStore({
      contents,
      projectExists: async (id) => (await projectStore.findProject(id)) !== undefined,
    }),
    importProgress: new MemoryImportProgress(),
    experimentStore: new MemoryExperimentStore({ runExists: runExistsIn(projectStore) }),
    runTagStore: new MemoryRunTagStore({ runExists: runExistsIn(projectStore) }),
    runScores: new MemoryRunScores({
      traceStore,
      recordsOf: (project_id, run_id) => traceStore.recordsOf(project_id, run_id),
      scoresOf: (project_id, run_id, ids) => scoreStore.list(project_id, run_id, ids),
    }),
    runTotals: new MemoryRunTotals({
      recordsOf: (project_id, run_id) => traceStore.recordsOf(project_id, run_id),
      scoresOf: (project_id, run_id, ids) => scoreStore.list(project_id, run_id, ids),
    }),
    templateStore: new MemoryTemplateStore({
      projectExists: async (id) => (await projectStore.findProject(id)) !== undefined,
    }),
    datasetContentStore: new MemoryDatasetContentStore({ contents }),
    ...operations,
  };
  return Object.fromEntries(Object.entries(adapters).map(([name, value]) => [name, asValue(value)])) as never;
}
