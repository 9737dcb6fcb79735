import type { JsonValue } from '../kernel/json.ts';
import type { Run } from '../projects/run.ts';
import type { RunOrigin } from '../projects/run-origin.ts';
import { DEFAULT_NODE_TYPES, type ScorerRecord, type ScorerVersionRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { Score } from '../scores/score.ts';
import { type RowScore, type RowScoreDeps, type ScoredRecord, toRowScores } from './row-scores.ts';
import type { RunTrace } from './run-traces.ts';

export interface CandidateDeps extends RowScoreDeps {
  readonly scorerStore: Pick<ScorerStore, 'findVersion'>;
}

/** A scorer in a run. */
export interface Candidate {
  readonly run: Run;
  readonly origin: RunOrigin | undefined;
  readonly scorer: ScorerRecord;
}

export interface CandidateScores {
  /** Undefined when nothing was scored, or the candidate is no version yet. */
  readonly version: ScorerVersionRecord | undefined;
  /** Successful scores by row, in the order in which the records began. */
  readonly values: ReadonlyMap<string, readonly JsonValue[]>;
  /** The first record of each row that carries a successful score. */
  readonly records: ReadonlyMap<string, ScoredRecord>;
  /** Rows on which the version failed, and for which it has no successful score. */
  readonly failed_rows: number;
}

/**
 * Reads the scores by the newest version that scored the run. `rows` are by the ids of traces; without node types the
 * version's own count.
 */
export async function candidateScores(
  deps: CandidateDeps,
  candidate: Candidate,
  traces: readonly RunTrace[],
  rows: ReadonlyMap<string, string>,
  node_types: readonly string[],
): Promise<CandidateScores> {
  const { project_id, id: run_id } = candidate.run;
  const wanted = node_types.length > 0 ? node_types : await getNodeTypes(deps, candidate);
  const isWanted = isOf(candidate);
  const { successful, failed } = await toRowScores(deps, traces, { project_id, run_id, rows, node_types: wanted, isWanted });
  const { id, version } = await newestVersion(deps, successful.length > 0 ? successful : failed);
  const ofVersion = (scores: readonly RowScore[]) => scores.filter(({ scorer_version_id }) => scorer_version_id === id);
  const byRow = Map.groupBy(ofVersion(successful), ({ row_id }) => row_id);
  const failedRows = new Set(ofVersion(failed).map(({ row_id }) => row_id));
  return {
    version,
    values: new Map([...byRow].map(([row_id, found]) => [row_id, found.map(({ value }) => value)])),
    records: new Map([...byRow].map(([row_id, [first]]) => [row_id, { trace_id: first!.trace_id, record_id: first!.record_id }])),
    failed_rows: failedRows.difference(byRow).size,
  };
}

/** Of the version that was tried out, else of the default one, else of the scorer. */
async function getNodeTypes({ scorerStore }: CandidateDeps, { origin, scorer }: Candidate): Promise<readonly string[]> {
  const version_id = origin?.scorer_version_id ?? scorer.default_version_id;
  const version = version_id === null ? undefined : await scorerStore.findVersion(version_id);
  return version?.scoreable_node_types ?? scorer.scoreable_node_types ?? DEFAULT_NODE_TYPES;
}

/** Which scores of the run are the candidate's; see `RunOrigin`. */
function isOf({ run, origin, scorer }: Candidate): (score: Score) => boolean {
  const isNobodys = run.kind === 'metrics_testing' && origin !== undefined && origin.scorer_id === null;
  if (!isNobodys && origin?.scorer_id !== scorer.id) return (score) => score.scorer_id === scorer.id;
  const { scorer_version_id } = origin!;
  if (scorer_version_id !== null) return (score) => score.scorer_version_id === scorer_version_id;
  return (score) => isNobodys || score.scorer_id === scorer.id;
}

/** A run that was scored again by a newer version is that version's. A candidate may be no version yet. */
async function newestVersion(
  { scorerStore }: CandidateDeps,
  scores: readonly RowScore[],
): Promise<{ readonly id: string | undefined; readonly version: ScorerVersionRecord | undefined }> {
  const ids = [...new Set(scores.map(({ scorer_version_id }) => scorer_version_id))];
  const versions = await Promise.all(ids.map((id) => scorerStore.findVersion(id)));
  const [version] = versions.filter((one) => one !== undefined).sort((a, b) => b.version - a.version);
  const [latest] = scores.toSorted((a, b) => (a.scored_at < b.scored_at ? 1 : -1));
  return { id: version?.id ?? latest?.scorer_version_id, version };
}
