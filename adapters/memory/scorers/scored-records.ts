import type { RecordMetric } from '../../../core/record-index/hourly.ts';
import { toRecordMetrics } from '../../../core/record-index/record-metrics.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

/** Where what reads results with their records finds both. */
export interface ScoredRecords {
  readonly traceStore: Pick<MemoryTraceStore, 'toRecords'>;
  readonly scoreStore: Pick<ScoreStore, 'list'>;
}

/** Scores of records of one run by record, those of each in the order they were made. */
export async function scoresByRecord(
  { scoreStore }: ScoredRecords,
  project_id: string,
  run_id: string,
  records: readonly LogRecord[],
): Promise<ReadonlyMap<string, readonly Score[]>> {
  const ids = records.map(({ id }) => id);
  return Map.groupBy(await scoreStore.list(project_id, run_id, ids), ({ record_id }) => record_id);
}

/** All numbers of all records of a run. */
export async function metricsOfRun(deps: ScoredRecords, project_id: string, run_id: string): Promise<RecordMetric[]> {
  const records = deps.traceStore.toRecords(project_id, run_id);
  const scores = await scoresByRecord(deps, project_id, run_id, records);
  return records.flatMap((record) => toRecordMetrics(record, scores.get(record.id) ?? []));
}
