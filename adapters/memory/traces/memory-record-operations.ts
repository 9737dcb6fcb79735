import type { ScoringJob } from '../../../core/scorers/scoring/scoring-queue.ts';
import type { MemoryCommentStore } from '../comments/memory-comment-store.ts';
import type { MemoryDatabase } from '../memory-database.ts';
import type { MemoryRatingStore } from '../ratings/memory-rating-store.ts';
import { MemoryRescoring } from '../scorers/memory-rescoring.ts';
import type { MemoryScoreStore } from '../scorers/memory-score-store.ts';
import { MemoryRunMetrics } from '../trends/memory-run-metrics.ts';
import { MemoryRecordEstimates } from './memory-record-estimates.ts';
import { MemoryRecordRemoval } from './memory-record-removal.ts';
import { MemoryRecordScan } from './memory-record-scan.ts';
import { MemoryRetentionStore } from './memory-retention-store.ts';
import type { MemorySessionStore } from './memory-session-store.ts';
import type { MemoryTraceStore } from './memory-trace-store.ts';

export interface MemoryOperationDeps {
  readonly database: MemoryDatabase;
  readonly traceStore: MemoryTraceStore;
  readonly scoreStore: MemoryScoreStore;
  readonly sessionScoreStore: MemoryScoreStore;
  readonly sessionStore: MemorySessionStore;
  readonly ratingStore: MemoryRatingStore;
  readonly commentStore: MemoryCommentStore;
  enqueue(job: ScoringJob): void;
}

/** The operations over many records, on the stores that hold them. */
export function memoryRecordOperations(deps: MemoryOperationDeps) {
  const { sessionStore } = deps;
  const derivedSessions = async (project_id: string, run_id: string, ids: readonly string[]): Promise<string[]> =>
    sessionStore.derivedAmong(project_id, run_id, ids);
  const removeEmptySessions = async (project_id: string, run_id: string, ids: readonly string[]): Promise<number> => {
    const derived = await derivedSessions(project_id, run_id, ids);
    const found = await Promise.all(derived.map((id) => sessionStore.find(project_id, id, run_id)));
    const value = found.filter((session) => session?.num_traces === 0).map((session) => session!.id);
    const { sessions } = await sessionStore.remove({
      project_id,
      run_id,
      where: { filter: { type: 'id', column_id: 'id', operator: 'one_of', value } },
    });
    return sessions;
  };
  return {
    recordEstimates: new MemoryRecordEstimates(deps),
    recordScan: new MemoryRecordScan(deps),
    recordRemoval: new MemoryRecordRemoval({ ...deps, removeEmptySessions }),
    rescoring: new MemoryRescoring(deps),
    runMetrics: new MemoryRunMetrics(deps),
    retentionStore: new MemoryRetentionStore({ ...deps, derivedSessions }),
  };
}
