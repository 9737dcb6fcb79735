import type { JsonValue } from '../kernel/json.ts';
import { getRecordTypes } from '../scores/record-types.ts';
import type { Score } from '../scores/score.ts';
import type { ScoreStore } from '../scores/score-store.ts';
import type { RecordScan } from '../traces/read/record-scan.ts';
import type { RunTrace } from './run-traces.ts';

/** A record that a row produced and that carries its score. */
export interface ScoredRecord {
  readonly trace_id: string;
  readonly record_id: string;
}

/** A score of one of the records that a row produced. */
export interface RowScore extends ScoredRecord {
  readonly row_id: string;
  readonly scorer_version_id: string;
  readonly scored_at: string;
  readonly value: JsonValue;
}

export interface RowScores {
  /** Of a successful status, and not null. */
  readonly successful: readonly RowScore[];
  /** Of a scorer that failed on the record, or could not judge at all. */
  readonly failed: readonly RowScore[];
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

interface Carrier {
  readonly row_id: string;
  readonly trace_id: string;
}

/** Rows by the ids of the records that carry their scores, in the order in which the records began. */
type Carriers = ReadonlyMap<string, Carrier>;

const TRACES_AT_ONCE = 500;

/** Scores of the records of the wanted types, in the order in which the records began. */
export async function toRowScores(deps: RowScoreDeps, traces: readonly RunTrace[], wanted: Wanted): Promise<RowScores> {
  const types = getRecordTypes(wanted.node_types);
  const [successful, failed]: [RowScore[], RowScore[]] = [[], []];
  const sessions = new Set<string>();
  const ofRows = traces.filter(({ id }) => wanted.rows.has(id));
  for (let at = 0; at < ofRows.length; at += TRACES_AT_ONCE) {
    const batch = ofRows.slice(at, at + TRACES_AT_ONCE);
    const ofRecords = await scoresOn(deps.scoreStore, await toRecords(deps, types, batch, wanted), wanted);
    const carriers = types.has('session') ? toSessions(batch, wanted, sessions) : new Map();
    const ofSessions = await scoresOn(deps.sessionScoreStore, carriers, wanted);
    for (const [score, row] of [...ofRecords, ...ofSessions]) {
      if (isSuccess(score)) successful.push(row);
      else if (isFailure(score)) failed.push(row);
    }
  }
  return { successful, failed };
}

async function scoresOn(
  store: Pick<ScoreStore, 'list'>,
  carriers: Carriers,
  { project_id, run_id, isWanted }: Wanted,
): Promise<(readonly [Score, RowScore])[]> {
  const scores = (await store.list(project_id, run_id, [...carriers.keys()])).filter(isWanted);
  const byRecord = Map.groupBy(scores, ({ record_id }) => record_id);
  return [...carriers].flatMap(([record_id, carrier]) =>
    (byRecord.get(record_id) ?? []).map((score) => {
      const { scorer_version_id, scored_at, value } = score;
      return [score, { ...carrier, record_id, scorer_version_id, scored_at, value }] as const;
    }),
  );
}

const isSuccess = ({ status_type, value }: Score): boolean => status_type === 'success' && value !== null;
const isFailure = ({ status_type }: Score): boolean => status_type === 'error' || status_type === 'failed';

async function toRecords(
  { recordScan }: RowScoreDeps,
  types: ReadonlySet<string>,
  traces: readonly RunTrace[],
  { project_id, run_id, rows }: Wanted,
): Promise<Carriers> {
  const toCarrier = (trace_id: string): Carrier => ({ row_id: rows.get(trace_id)!, trace_id });
  const ids = traces.map(({ id }) => id);
  if (![...types].some((type) => type !== 'trace' && type !== 'session'))
    return new Map(types.has('trace') ? ids.map((id) => [id, toCarrier(id)]) : []);
  const outlines = await recordScan.outlines(project_id, run_id, ids);
  return new Map(outlines.filter(({ type }) => types.has(type)).map(({ id, trace_id }) => [id, toCarrier(trace_id)]));
}

/** A session that several traces are part of counts once, for the row of the first. */
function toSessions(traces: readonly RunTrace[], { rows }: Wanted, seen: Set<string>): Carriers {
  const carriers = new Map<string, Carrier>();
  for (const { id, session_id } of traces) {
    if (!seen.has(session_id)) carriers.set(session_id, { row_id: rows.get(id)!, trace_id: id });
    seen.add(session_id);
  }
  return carriers;
}
