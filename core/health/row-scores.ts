import type { JsonValue } from '../kernel/json.ts';
import type { Score } from '../scorers/score.ts';
import type { ScoreStore } from '../scorers/score-store.ts';
import { recordTypesOf } from '../scorers/scorer.ts';
import type { RecordScan } from '../traces/record-scan.ts';
import type { RunTrace } from './run-traces.ts';

/** A successful score of one of the records that a row produced. */
export interface RowScore {
  readonly row_id: string;
  readonly scorer_version_id: string;
  readonly scored_at: string;
  readonly value: JsonValue;
}

export interface RowScoreDeps {
  readonly recordScan: Pick<RecordScan, 'outlines'>;
  readonly scoreStore: Pick<ScoreStore, 'list'>;
}

interface Wanted {
  readonly project_id: string;
  readonly run_id: string;
  /** Rows by the ids of traces. */
  readonly rows: ReadonlyMap<string, string>;
  readonly node_types: readonly string[];
  isWanted(score: Score): boolean;
}

const TRACES_AT_ONCE = 500;

/**
 * Successful scores of the records of the wanted types, in the order in which the records began. A score is successful when its
 * status is and it is not null.
 */
export async function rowScoresOf(deps: RowScoreDeps, traces: readonly RunTrace[], wanted: Wanted): Promise<RowScore[]> {
  const found: RowScore[] = [];
  const sessions = new Set<string>();
  const ofRows = traces.filter(({ id }) => wanted.rows.has(id));
  for (let at = 0; at < ofRows.length; at += TRACES_AT_ONCE) {
    const records = await recordsOf(deps, ofRows.slice(at, at + TRACES_AT_ONCE), wanted, sessions);
    const scores = await deps.scoreStore.list(wanted.project_id, wanted.run_id, [...records.keys()]);
    const byRecord = Map.groupBy(scores.filter(isSuccess).filter(wanted.isWanted), ({ record_id }) => record_id);
    for (const [id, row_id] of records)
      for (const { scorer_version_id, scored_at, value } of byRecord.get(id) ?? [])
        found.push({ row_id, scorer_version_id, scored_at, value });
  }
  return found;
}

const isSuccess = ({ status_type, value }: Score): boolean => status_type === 'success' && value !== null;

/** Rows by the ids of the records that carry their scores. A session that several traces are part of counts once. */
async function recordsOf(
  { recordScan }: RowScoreDeps,
  traces: readonly RunTrace[],
  { project_id, run_id, rows, node_types }: Wanted,
  sessions: Set<string>,
): Promise<Map<string, string>> {
  const types = recordTypesOf(node_types);
  const records = new Map<string, string>();
  if (types.has('trace')) for (const { id } of traces) records.set(id, rows.get(id)!);
  if (types.has('session')) {
    for (const { id, session_id } of traces) {
      if (!sessions.has(session_id)) records.set(session_id, rows.get(id)!);
      sessions.add(session_id);
    }
  }
  if ([...types].every((type) => type === 'trace' || type === 'session')) return records;
  const trace_ids = traces.map(({ id }) => id);
  for (const { id, trace_id, type } of await recordScan.outlines(project_id, run_id, trace_ids))
    if (type !== 'trace' && types.has(type)) records.set(id, rows.get(trace_id)!);
  return records;
}
