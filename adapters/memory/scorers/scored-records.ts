import { toRatingColumnId } from '../../../core/ratings/rating-column.ts';
import type { RecordMetric } from '../../../core/record-index/hourly.ts';
import { type RatingResult, toRecordMetrics } from '../../../core/record-index/record-metrics.ts';
import type { Score } from '../../../core/scores/score.ts';
import type { ScoreStore } from '../../../core/scores/score-store.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import type { MemoryRatingStore, RatedRecord } from '../ratings/memory-rating-store.ts';
import type { MemoryTraceStore } from '../traces/memory-trace-store.ts';

/** Where what reads results with their records finds both. */
export interface ScoredRecords {
  readonly traceStore: Pick<MemoryTraceStore, 'toRecords'>;
  readonly scoreStore: Pick<ScoreStore, 'list'>;
}

/** Likewise, with ratings. */
export interface JudgedRecords extends ScoredRecords {
  readonly ratingStore: Pick<MemoryRatingStore, 'columnsOf' | 'valueIn'>;
}

/** Values of columns of ratings of a record. */
export function ratingsOf({ ratingStore }: JudgedRecords, record: LogRecord, known: readonly RatedRecord[]): RatingResult[] {
  const { project_id, run_id, id: record_id } = record;
  const columns = known.filter((one) => one.record_id === record_id).map(({ column }) => column);
  const unique = new Map(columns.map((column) => [toRatingColumnId(column), column]));
  return [...unique].map(([column_id, column]) => ({
    column_id,
    value: ratingStore.valueIn({ project_id, run_id, record_id }, column),
  }));
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
export async function metricsOfRun(
  deps: ScoredRecords | JudgedRecords,
  project_id: string,
  run_id: string,
): Promise<RecordMetric[]> {
  const records = deps.traceStore.toRecords(project_id, run_id);
  const scores = await scoresByRecord(deps, project_id, run_id, records);
  const rated = 'ratingStore' in deps ? deps.ratingStore.columnsOf({ project_id, run_id }) : [];
  return records.flatMap((record) => {
    const ratings = 'ratingStore' in deps ? ratingsOf(deps, record, rated) : [];
    return toRecordMetrics(record, scores.get(record.id) ?? [], ratings);
  });
}
