import { MemoryAnnotationQueueStore } from '../../adapters/memory/annotation/memory-annotation-queue-store.ts';
import { MemoryShadowStore } from '../../adapters/memory/health/memory-shadow-store.ts';
import { MemoryInsightStore } from '../../adapters/memory/insights/memory-insight-store.ts';
import { MemoryAnswerCache } from '../../adapters/memory/models/memory-answer-cache.ts';
import { MemorySpendingStore } from '../../adapters/memory/models/memory-spending-store.ts';
import { MemoryOtelTraceStore } from '../../adapters/memory/otel/memory-otel-trace-store.ts';
import { MemoryProjectStore } from '../../adapters/memory/projects/memory-project-store.ts';
import type { RunExists } from '../../adapters/memory/projects/run-exists.ts';
import { MemoryRatingStore } from '../../adapters/memory/ratings/memory-rating-store.ts';
import { MemoryIdleSessions } from '../../adapters/memory/scorers/memory-idle-sessions.ts';
import { MemoryMetricSettingsStore } from '../../adapters/memory/scorers/memory-metric-settings-store.ts';
import { MemoryScoreStore } from '../../adapters/memory/scorers/memory-score-store.ts';
import { MemoryScoresBelow } from '../../adapters/memory/scorers/memory-scores-below.ts';
import { MemoryColumnStore } from '../../adapters/memory/traces/memory-column-store.ts';
import { MemoryIdleTraces } from '../../adapters/memory/traces/memory-idle-traces.ts';
import { memoryRecordOperations } from '../../adapters/memory/traces/memory-record-operations.ts';
import { MemorySessionStore } from '../../adapters/memory/traces/memory-session-store.ts';
import { MemoryTraceStore } from '../../adapters/memory/traces/memory-trace-store.ts';
import { MemoryAlertStore } from '../../adapters/memory/trends/memory-alert-store.ts';
import { MemoryDashboardStore } from '../../adapters/memory/trends/memory-dashboard-store.ts';
import { MemorySeriesStore } from '../../adapters/memory/trends/memory-series-store.ts';
import { MemoryTrendStore } from '../../adapters/memory/trends/memory-trend-store.ts';
import { MemoryWorkList } from '../../adapters/memory/trends/memory-work-list.ts';
import type { Clock } from '../../core/kernel/ports.ts';
import type { ScoringJob } from '../../core/scorers/scoring/scoring-queue.ts';

export interface Surroundings {
  readonly clock: Clock;
  enqueue(job: ScoringJob): void;
}

/** Memory stores around records that share what the stores of one database share. */
export function wireMemoryStores({ clock, enqueue }: Surroundings) {
  const projectStore = new MemoryProjectStore();
  const settings = new MemoryMetricSettingsStore({ projectStore, clock });
  const scoreStore = new MemoryScoreStore({ recordExists: (...key) => traceStore.has(...key) });
  const idleSessions = new MemoryIdleSessions({ clock, enqueue });
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
    enqueue,
    toScore: (record, metric_name) => scoreStore.newest(record, metric_name),
    noteColumns: (records) => columnStore.note(records),
    removeColumns: (project_id, run_id) => columnStore.removeAll(project_id, run_id),
    removeScores: (project_id, run_id) => {
      scoreStore.removeAll(project_id, run_id);
      sessionScoreStore.removeAll(project_id, run_id);
      shadowStore.removeAll(project_id, run_id);
      idleSessions.removeAll(project_id, run_id);
      answerCache.removeAll(project_id, run_id);
      spendingStore.removeAll(project_id, run_id);
    },
    keepSessions: (sessions) => sessionStore.keep(sessions),
    removeSessions: (project_id, run_id) => sessionStore.removeAll(project_id, run_id),
  });
  const sessionStore = new MemorySessionStore({
    runDirectory: settings,
    records: (project_id) => traceStore.toRecords(project_id),
    removeTraces: (...asked) => operations.recordRemoval.removeTraces(...asked),
    markRun: (project_id, run_id) => projectStore.markUserSessions(project_id, run_id),
  });
  const operations = memoryRecordOperations({ traceStore, scoreStore, sessionScoreStore, sessionStore, enqueue });
  const columnStore = new MemoryColumnStore({ traceStore, scoreStore });
  const runExists: RunExists = async (project_id, run_id) => (await settings.findRun(project_id, run_id)) !== undefined;
  return {
    projectStore,
    traceStore,
    sessionStore,
    otelTraceStore: new MemoryOtelTraceStore({ traceStore, runDirectory: settings, enqueue }),
    idleTraces: new MemoryIdleTraces({ traceStore, clock }),
    idleSessions,
    answerCache,
    scoresBelow: new MemoryScoresBelow({ traceStore, scoreStore }),
    spendingStore,
    scoreStore,
    ratingStore: new MemoryRatingStore({ recordExists: (...key) => traceStore.has(...key) }),
    annotationQueueStore: new MemoryAnnotationQueueStore(),
    sessionScoreStore,
    shadowScoreStore,
    shadowStore,
    columnStore,
    metricSettingsStore: settings,
    runDirectory: settings,
    trendStore: new MemoryTrendStore({ traceStore, scoreStore }),
    seriesStore: new MemorySeriesStore({ traceStore, scoreStore }),
    alertStore: new MemoryAlertStore(),
    workList: new MemoryWorkList(),
    insightStore: new MemoryInsightStore({ runExists }),
    dashboardStore: new MemoryDashboardStore({ runExists }),
    ...operations,
  };
}
