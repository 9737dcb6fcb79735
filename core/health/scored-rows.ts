import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { type Column, type StoredVersion, versionNotFound } from '../datasets/version.ts';
import { AppError } from '../kernel/errors.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { RunOriginStore } from '../projects/run-origin-store.ts';
import type { ScorerRecord } from '../scorers/scorer.ts';
import type { ScorerStore } from '../scorers/scorer-store.ts';
import type { TraceStore } from '../traces/trace-store.ts';
import { type Candidate, type CandidateDeps, type CandidateScores, candidateScores } from './candidate-scores.ts';
import { type Overlay, type TruthRow, withOverlay } from './join-rows.ts';
import { rowsOfTraces } from './match-traces.ts';
import { getTraces, type RunTrace } from './run-traces.ts';
import { TRUTH_COLUMN, type TruthColumns } from './truth-columns.ts';
import { type TruthRowWithTexts, toTruthRows } from './truth-rows.ts';

export interface ScoredRowsDeps extends CandidateDeps {
  readonly projectStore: Pick<ProjectStore, 'findRun'>;
  readonly runOriginStore: RunOriginStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly truthColumns: TruthColumns;
  readonly traceStore: Pick<TraceStore, 'list'>;
  readonly scorerStore: ScorerStore;
  readonly authorizer: Authorizer;
}

/** A scorer in a run, and the dataset that the run went through. */
export interface Subject extends Candidate {
  /** Undefined when the records of the run do not come from a dataset. */
  readonly version: StoredVersion | undefined;
  /** The column that holds the ground truth of the scorer; undefined when the version has none, as well. */
  readonly truth_column: Column | undefined;
}

export interface RowReading {
  readonly scoreable_node_types?: readonly string[] | null | undefined;
  readonly mgt_overlay?: Overlay | null | undefined;
  /** Of more traces than this it is not read, but refused as `comparison_too_large`. */
  readonly most_traces?: number;
}

export interface ScoredRowsRequest extends RowReading {
  readonly scorer_id: string;
}

export interface Scored extends CandidateScores {
  readonly subject: Subject;
  /** Rows with ground truth, after the overlay. */
  readonly truths: readonly TruthRow[];
  /** Whether the overlay changed anything. */
  readonly isOverlaid: boolean;
  /** How many traces the run has. */
  readonly traces: number;
}

/** Ground truth of the rows of a run beside what a scorer said of them. */
export class ScoredRows {
  readonly #deps: ScoredRowsDeps;

  constructor(deps: ScoredRowsDeps) {
    this.#deps = deps;
  }

  /**
   * Asks for the role of an annotator on the project, and sight of the dataset. Rows of a run without a dataset are its traces, whose ground
   * truth can only come from the overlay.
   */
  async load(caller: Caller, project_id: string, run_id: string, request: ScoredRowsRequest): Promise<Scored> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'record_human_feedback');
    return this.read(await this.findSubject(caller, project_id, run_id, request.scorer_id), request);
  }

  /** Asks for sight of the dataset. That of the project is up to the caller of this method. */
  async findSubject(caller: Caller, project_id: string, run_id: string, scorer_id: string): Promise<Subject> {
    const { projectStore, runOriginStore, authorizer } = this.#deps;
    const run =
      (await projectStore.findRun(project_id, 'metrics_testing', run_id)) ??
      (await projectStore.findRun(project_id, 'experiment', run_id));
    if (!run) throw new AppError('not_found', 'run_not_found', `project ${project_id} has no metrics-testing run ${run_id}`);
    const origin = await runOriginStore.find(project_id, run_id);
    const scorer = await requireScorer(this.#deps.scorerStore, scorer_id);
    if (!origin?.dataset_id) return { run, origin, scorer, version: undefined, truth_column: undefined };
    await authorizer.authorize(caller, 'dataset', origin.dataset_id, 'read');
    const version = await this.#version(origin.dataset_id, origin.dataset_version_index);
    return { run, origin, scorer, version, truth_column: await this.#truthColumn(version, scorer.id) };
  }

  async read(subject: Subject, { scoreable_node_types, mgt_overlay, most_traces }: RowReading): Promise<Scored> {
    const { project_id, id: run_id } = subject.run;
    const traces = await getTraces(this.#deps.traceStore, project_id, run_id, most_traces);
    const rows = await this.#rows(subject, traces);
    const ofTraces = subject.version ? rowsOfTraces(traces, rows) : new Map(traces.map(({ id }) => [id, id]));
    const scores = await candidateScores(this.#deps, subject, traces, ofTraces, scoreable_node_types ?? []);
    const truths = withOverlay(rows, mgt_overlay ?? {});
    const isOverlaid = truths.some(({ truth }, at) => truth !== rows[at]!.truth);
    return { ...scores, subject, truths, isOverlaid, traces: traces.length };
  }

  async #truthColumn({ dataset_id, columns }: StoredVersion, scorer_id: string): Promise<Column | undefined> {
    const chosen = await this.#deps.truthColumns.find(dataset_id, scorer_id);
    return columns.find(({ key }) => key === chosen) ?? columns.find(({ name }) => name === TRUTH_COLUMN);
  }

  async #rows({ version, truth_column }: Subject, traces: readonly RunTrace[]): Promise<TruthRowWithTexts[]> {
    if (!version) return traces.map(({ id }) => ({ row_id: id, truth: null, input: null, output: null }));
    const named = new Set(traces.map(({ dataset_input }) => dataset_input));
    return toTruthRows(this.#deps.datasetContentStore, version, truth_column?.key, (input) => named.has(input));
  }

  async #version(dataset_id: string, version_index: number | null): Promise<StoredVersion> {
    const version = await this.#deps.datasetContentStore.findVersion(dataset_id, version_index ?? undefined);
    if (version) return version;
    throw version_index === null ? datasetNotFound(dataset_id) : versionNotFound(version_index);
  }
}

/** Throws AppError `scorer_not_found`. */
export async function requireScorer(store: Pick<ScorerStore, 'find'>, id: string): Promise<ScorerRecord> {
  const scorer = await store.find(id);
  if (!scorer) throw new AppError('not_found', 'scorer_not_found', `scorer ${id} does not exist`);
  return scorer;
}
