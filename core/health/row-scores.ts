import type { JsonValue } from '../kernel/json.ts';
import { getRecordTypes } from '../scores/record-types.ts';
import type { Score } from '../scores/score.ts';
import type { ScoreStore } from '../scores/score-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
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
  readonly sessionScoreStore: Pick<ScoreStore, 'list'>;
}

interface Wanted {
  readonly project_id: string;
  readonly run_id: string;
  /** Rows by the ids of traces. */
  readonly rows: ReadonlyMap<string, string>;
  readonly node_types: readonly string[];
  isWanted(score: Score): boolean;
}

/** Rows by the ids of the records that carry their scores, in the order in which the records began. */
type Carriers = ReadonlyMap<string, string>;

const TRACES_AT_ONCE = 500;

/**
 * Successful scores of the records of the wanted types, in the order in which the records began. A score is successful when its
 * status is and it is not null.
 */
export async function toRowScores(deps: RowScoreDeps, traces: readonly RunTrace[], wanted: Wanted): Promise<RowScore[]> {
  const types = getRecordTypes(wanted.node_types);
  const found: RowScore[] = [];
  const sessions = new Set<string>();
  const ofRows = traces.filter(({ id }) => wanted.rows.has(id));
  for (let at = 0; at < ofRows.length; at += TRACES_AT_ONCE) {
    const batch = ofRows.slice(at, at + TRACES_AT_ONCE);
    const ofRecords = await scoresOn(deps.scoreStore, await toRecords(deps, types, batch, wanted), wanted);
    const carriers = types.has('session') ? toSessions(batch, wanted, sessions) : new Map();
    const ofSessions = await scoresOn(deps.sessionScoreStore, carriers, wanted);
    for (const score of [...ofRecords, ...ofSessions]) found.push(score);
  }
  return found;
}

async function scoresOn(
  store: Pick<ScoreStore, 'list'>,
  carriers: Carriers,
  { project_id, run_id, isWanted }: Wanted,
): Promise<RowScore[]> {
  const scores = (await store.list(project_id, run_id, [...carriers.keys()])).filter(isSuccess).filter(isWanted);
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return [...carriers].flatMap(([id, row_id]) =>
    (byRecord.get(id) ?? []).map(({ scorer_version_id, scored_at, value }) => ({ row_id, scorer_version_id, scored_at, value })),
  );
}

const isSuccess = ({ status_type, value }: Score): boolean => status_type === 'success' && value !== null;

async function toRecords(
  { recordScan }: RowScoreDeps,
  types: ReadonlySet<string>,
  traces: readonly RunTrace[],
  { project_id, run_id, rows }: Wanted,
): Promise<Carriers> {
  const toRow = (trace_id: string): string => rows.get(trace_id)!;
  const ids = traces.map(({ id }) => id);
  if (![...types].some((type) => type !== 'trace' && type !== 'session'))
    return new Map(types.has('trace') ? ids.map((id) => [id, toRow(id)]) : []);
  const outlines = await recordScan.outlines(project_id, run_id, ids);
  return new Map(outlines.filter(({ type }) => types.has(type)).map(({ id, trace_id }) => [id, toRow(trace_id)]));
}

/** A session that several traces are part of counts once, for the row of the first. */
function toSessions(traces: readonly RunTrace[], { rows }: Wanted, seen: Set<string>): Carriers {
  const carriers = new Map<string, string>();
  for (const { id, session_id } of traces) {
    if (!seen.has(session_id)) carriers.set(session_id, rows.get(id)!);
    seen.add(session_id);
  }
  return carriers;
}
