import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { namedValues } from '../datasets/cells.ts';
import type { IndexedRow } from '../datasets/content.ts';
import { datasetNotFound } from '../datasets/dataset.ts';
import type { DatasetContentStore } from '../datasets/dataset-content-store.ts';
import { readSliceWithin } from '../datasets/stored-rows.ts';
import type { StoredVersion } from '../datasets/version.ts';
import type { JobRecord, NewJob } from '../jobs/job.ts';
import type { JobContext, JobHandler } from '../jobs/job-handler.ts';
import type { JobRequest } from '../jobs/job-request.ts';
import type { Sha256 } from '../kernel/digest.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { ModelGateway, OpenModel } from '../models/model-gateway.ts';
import { PluginError } from '../plugin-sdk/index.ts';
import { getModel } from '../prompts/run-settings.ts';
import { NEWEST_FIRST } from '../traces/record-query.ts';
import { experimentNotFound } from './experiment.ts';
import { openModel } from './experiment-model.ts';
import type { ExperimentStore } from './experiment-store.ts';
import { type GenerationFacts, PLAYGROUND_RUN, toGeneration } from './generation.ts';
import type { PlaygroundRequests } from './playground-requests.ts';
import { promptFor, toModelQuestion } from './row-prompt.ts';
import { getRecordId, type RowOutcome, toRowTrace } from './row-record.ts';
import { type RowWriterDeps, writeTrace } from './row-writer.ts';

export interface PlaygroundRunDeps extends RowWriterDeps {
  readonly experimentStore: ExperimentStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly modelGateway: ModelGateway;
  readonly playgroundRequests: PlaygroundRequests;
  readonly sha256: Sha256;
}

/** Rows that are worked on before the next ones are read; what a second attempt may have to look at again. */
const ROWS_A_BATCH = 50;
/** Cells of these rows that are in memory at once; fewer rows are read where they are long. */
const BYTES_A_BATCH = 2 * 1024 * 1024;
const ROWS_AT_ONCE = 8;
/** How often the experiment is told how far it is. */
const TELL_EVERY_MS = 500;
const FIRST_ERROR = 400;
/** How long one call may take. */
const DEADLINE_MS = 120_000;
const FIELDS = { dataset: 'dataset_id', prompt: 'prompt_template_version_id' };

const State = z.object({ rows_done: z.int(), failed: z.int(), missing: z.array(z.string()) });
type State = z.output<typeof State>;
const NOTHING_YET: State = { rows_done: 0, failed: 0, missing: [] };

interface Work {
  readonly job: JobRecord;
  readonly facts: GenerationFacts;
  readonly version: StoredVersion;
  readonly model: OpenModel;
  readonly signal: AbortSignal;
  /** Told after every row. */
  readonly rowDone: () => Promise<void>;
}

/**
 * Runs a prompt over the rows of a dataset into an experiment: a trace with a model's call for each row. Every row has the same
 * record ids at every try, so nothing is there twice; rows that went well are left alone, rows that failed are tried again by
 * the next run. A row that fails is a trace with an error status.
 */
export class PlaygroundRunJob implements JobHandler {
  readonly job_name = PLAYGROUND_RUN;
  readonly #deps: PlaygroundRunDeps;

  constructor(deps: PlaygroundRunDeps) {
    this.#deps = deps;
  }

  prepare(caller: Caller, request: JobRequest): Promise<NewJob> {
    return this.#deps.playgroundRequests.prepare(caller, request);
  }

  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const { datasetContentStore, experimentStore, modelGateway } = this.#deps;
    const [project_id, run_id] = [job.project_id!, job.run_id!];
    const stored = await experimentStore.find(project_id, run_id);
    if (!stored) throw experimentNotFound(run_id);
    const facts = toGeneration(stored, FIELDS);
    const { dataset_id, version_index } = facts.dataset;
    const version = await datasetContentStore.findVersion(dataset_id, version_index);
    if (!version) throw datasetNotFound(dataset_id);
    const blocks = await datasetContentStore.listBlocks(dataset_id, version_index);
    const model = await openModel(modelGateway, job, getModel(facts.prompt_run_settings ?? {}));
    const steps_total = version.num_rows;
    let state = job.state === null ? NOTHING_YET : State.parse(job.state);
    let steps_completed = state.rows_done;
    let told = performance.now();
    const rowDone = async () => {
      steps_completed += 1;
      if (performance.now() - told > TELL_EVERY_MS) {
        told = performance.now();
        await experimentStore.report(project_id, run_id, steps_completed / steps_total);
      }
      await context.report({ steps_completed, steps_total, message: `${steps_completed} of ${steps_total} rows` });
    };
    while (state.rows_done < steps_total) {
      signal.throwIfAborted();
      const slice = { offset: state.rows_done, limit: ROWS_A_BATCH };
      const rows = await readSliceWithin(datasetContentStore, dataset_id, blocks, slice, BYTES_A_BATCH);
      state = withBatch(state, await this.#batch({ job, facts, version, model, signal, rowDone }, rows), rows.length);
      await context.report({ steps_completed: state.rows_done, steps_total, state });
    }
    await experimentStore.report(project_id, run_id, 1);
    return { rows: steps_total, failed: state.failed, missing_variables: state.missing };
  }

  /** Some rows at a time; the first that breaks the run ends the others, too. */
  async #batch(work: Work, rows: readonly IndexedRow[]): Promise<readonly RowResult[]> {
    const done = await this.#findDoneRows(work, rows);
    const stop = new AbortController();
    const signal = AbortSignal.any([work.signal, stop.signal]);
    const waiting = rows.values();
    const results: RowResult[] = [];
    const lane = async (): Promise<void> => {
      for (const { row } of waiting) {
        if (!done.has(row.row_id)) results.push(await this.#row({ ...work, signal }, row));
        await work.rowDone();
      }
    };
    const lanes = Array.from({ length: ROWS_AT_ONCE }, () =>
      lane().catch((error: unknown) => {
        stop.abort(error);
        throw error;
      }),
    );
    const settled = await Promise.allSettled(lanes);
    const broken = settled.find(({ status }) => status === 'rejected');
    if (broken?.status === 'rejected') throw stop.signal.reason ?? broken.reason;
    return results;
  }

  /** Rows that went well before. */
  async #findDoneRows({ job, facts }: Work, rows: readonly IndexedRow[]): Promise<ReadonlySet<string>> {
    const { sha256, traceStore } = this.#deps;
    const byTrace = new Map(rows.map(({ row }) => [getRecordId(facts.run_id, row.row_id, 'trace', sha256), row.row_id]));
    const value = [...byTrace.keys()];
    const where = { filter: { type: 'id', column_id: 'id', operator: 'one_of', value } } as const;
    const page = {
      sort: NEWEST_FIRST,
      starting_token: 0,
      limit: value.length,
      after: undefined,
      fields: new Set(['id'] as const),
    };
    const run = { project_id: job.project_id!, run_id: facts.run_id };
    const records = await traceStore.list({ ...run, level: 'trace', where, ...page });
    const good = records.filter(({ status_code }) => (status_code ?? 0) < FIRST_ERROR);
    return new Set(good.map(({ id }) => byTrace.get(id)!));
  }

  async #row(work: Work, { row_id, cells }: IndexedRow['row']): Promise<RowResult> {
    const { facts, version, signal } = work;
    const values = namedValues(cells, version.columns);
    const { messages, missing } = promptFor(facts.prompt, values);
    const settings = facts.prompt_run_settings ?? {};
    const [started_at, started] = [this.#deps.clock().toISOString(), performance.now()];
    const answer = await this.#answer(work, messages, settings);
    signal.throwIfAborted();
    const duration_ns = Math.round((performance.now() - started) * 1e6);
    const asked = { messages, settings, model: getModel(settings), prompt_version_id: facts.prompt.prompt_template_version_id };
    const outcome: RowOutcome = { row_id, values, ...asked, answer, started_at, duration_ns };
    await writeTrace(this.#deps, facts, toRowTrace(facts.run_id, outcome, this.#deps.sha256));
    return { failed: answer instanceof PluginError, missing };
  }

  async #answer(work: Work, messages: RowOutcome['messages'], settings: JsonObject): Promise<RowOutcome['answer']> {
    try {
      return await work.model.ask(toModelQuestion(messages, settings), { signal: work.signal, deadlineMs: DEADLINE_MS });
    } catch (error) {
      if (error instanceof PluginError) return error;
      throw error;
    }
  }
}

interface RowResult {
  readonly failed: boolean;
  readonly missing: readonly string[];
}

const withBatch = (state: State, results: readonly RowResult[], rows: number): State => ({
  rows_done: state.rows_done + rows,
  failed: state.failed + results.filter(({ failed }) => failed).length,
  missing: [...new Set([...state.missing, ...results.flatMap(({ missing }) => missing)])].slice(0, 100),
});
