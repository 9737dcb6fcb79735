import { MemoryColumnStore } from '../../adapters/memory/memory-column-store.ts';
import { MemoryMetricSettingsStore } from '../../adapters/memory/memory-metric-settings-store.ts';
import { MemoryProjectStore } from '../../adapters/memory/memory-project-store.ts';
import { MemoryScoreStore } from '../../adapters/memory/memory-score-store.ts';
import { MemoryTraceStore } from '../../adapters/memory/memory-trace-store.ts';
import type { ScoringJob } from '../../core/scorers/scoring-queue.ts';
import type { RecordStores } from '../contracts/record-stores.ts';

const START = Date.parse('2026-02-03T04:05:06.000Z');

/** Memory stores that share what the stores of one database share. Their clock ticks with every look at it. */
export function openMemoryStores(): RecordStores {
  let ticks = 0;
  const clock = () => {
    ticks += 1;
    return new Date(START + ticks);
  };
  const jobs: ScoringJob[] = [];
  const projectStore = new MemoryProjectStore();
  const settings = new MemoryMetricSettingsStore({ projectStore, clock });
  const scoreStore = new MemoryScoreStore({ recordExists: (...key) => traceStore.has(...key) });
  const traceStore = new MemoryTraceStore({
    runDirectory: settings,
    clock,
    enqueue: (job) => void jobs.push(job),
    scoreOf: (record, metric_name) => scoreStore.newest(record, metric_name),
    noteColumns: (records) => columnStore.note(records),
    removeColumns: (project_id, run_id) => columnStore.removeAll(project_id, run_id),
    removeScores: (project_id, run_id) => scoreStore.removeAll(project_id, run_id),
  });
  const columnStore = new MemoryColumnStore({ recordsOf: (...key) => traceStore.recordsOf(...key), scoreStore });
  return {
    projectStore,
    traceStore,
    scoreStore,
    columnStore,
    metricSettingsStore: settings,
    runDirectory: settings,
    jobs: async ({ run_id }) => jobs.filter((job) => job.run_id === run_id),
    close: async () => {},
  };
}
