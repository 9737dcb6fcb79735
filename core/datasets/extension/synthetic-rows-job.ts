import type { ModelDirectory } from '../../integrations/model-directory.ts';
import { asPluginError, wordsFor } from '../../integrations/provider-failure.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import { withDeadline } from '../../kernel/deadline.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import type { Completion, PluginError } from '../../plugin-sdk/index.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetContentStore } from '../dataset-content-store.ts';
import { NextVersion } from '../next-version.ts';
import type { RowValues } from '../row.ts';
import { writeRows } from '../write-rows.ts';
import { SYNTHETIC_ROWS } from './dataset-extension-service.ts';
import { ExtensionPlan, ExtensionState } from './extension.ts';
import { newRowsIn, questionFor } from './synthetic-rows.ts';

export interface SyntheticRowsDeps {
  readonly datasetContentStore: DatasetContentStore;
  readonly modelDirectory: ModelDirectory;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

const ROWS_A_CALL = 10;
const CALL_MS = 120_000;
const MAX_TOKENS = 8_000;
/** Calls in a row that brought nothing new: the model has no more to say. */
const MAX_FRUITLESS = 3;
/** Beginnings of a job before its failure is for good. */
const MAX_ATTEMPTS = 3;

const NOTHING_YET: ExtensionState = { rows: [], fruitless: 0, is_written: false };

/** Has a model make up the rows of a dataset, and writes them as one version. */
export class SyntheticRowsJob implements JobHandler {
  readonly job_name = SYNTHETIC_ROWS;
  readonly #deps: SyntheticRowsDeps;

  constructor(deps: SyntheticRowsDeps) {
    this.#deps = deps;
  }

  /** Rows that were paid for are written, also when the model fails before there are enough. */
  async run(job: JobRecord, desk: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const plan = ExtensionPlan.parse(job.request_data);
    let state = job.state === null ? NOTHING_YET : ExtensionState.parse(job.state);
    let failure: PluginError | undefined;
    while (!failure && !state.is_written && state.rows.length < plan.count && state.fruitless < MAX_FRUITLESS) {
      signal.throwIfAborted();
      const answer = await this.#ask(job, plan, state.rows, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        return asPluginError(error);
      });
      if (answer instanceof Error) failure = this.#final(answer, job, state);
      else {
        state = grown(state, newRowsIn(answer, plan, state.rows), plan.count);
        await desk.report({ ...toSteps(plan, state.rows.length), message: `${state.rows.length} of ${plan.count} rows`, state });
      }
    }
    if (!state.is_written) await this.#write(job, plan, state.rows, desk, failure);
    return { rows: state.rows.length };
  }

  async #ask(job: JobRecord, plan: ExtensionPlan, made: readonly RowValues[], stop: AbortSignal): Promise<Completion> {
    const wanted = Math.min(ROWS_A_CALL, plan.count - made.length);
    const model = await this.#deps.modelDirectory.model(job.created_by, plan.model);
    const question = { ...questionFor(plan, wanted, made), model: plan.model, max_tokens: MAX_TOKENS };
    return withDeadline({ ms: CALL_MS, signal: stop }, (signal) => model.complete({ ...question, signal }));
  }

  /** Throws when another beginning may do better, or when there is nothing to keep. */
  #final(error: PluginError, { retries }: JobRecord, { rows }: ExtensionState): PluginError {
    if (error.retryable && retries + 1 < MAX_ATTEMPTS) throw error;
    if (rows.length === 0) throw new AppError('unusable', 'provider_refused', wordsFor(error), { cause: error });
    return error;
  }

  #write(
    job: JobRecord,
    plan: ExtensionPlan,
    rows: readonly RowValues[],
    desk: JobContext,
    failure?: PluginError,
  ): Promise<void> {
    const { datasetContentStore: store, transactions, clock, newId, datasetBlockSize: blockSize } = this.#deps;
    const why = failure ? `; ${wordsFor(failure)}` : rows.length < plan.count ? '; the model had no other ones' : '';
    return transactions.run(() =>
      store.exclusively(job.id, async () => {
        const head = await store.findHead(job.id);
        if (!head) throw datasetNotFound(job.id);
        const author = { user_id: job.created_by, at: clock().toISOString(), newId, blockSize };
        const next = new NextVersion(store, job.id, head, author);
        await writeRows(next, { columns: plan.columns, batches: inOneBatch(rows) }, newId);
        await next.finish();
        const message = `${rows.length} of ${plan.count} rows${why}`;
        const all = plan.count + 1;
        await desk.report({ steps_completed: all, steps_total: all, message, state: { ...NOTHING_YET, is_written: true } });
      }),
    );
  }
}

/** One step a row, and the last for writing them. */
const toSteps = ({ count }: ExtensionPlan, made: number) => ({ steps_completed: made, steps_total: count + 1 });

const grown = ({ rows, fruitless }: ExtensionState, more: readonly RowValues[], count: number): ExtensionState => ({
  rows: [...rows, ...more].slice(0, count) as ExtensionState['rows'],
  fruitless: more.length === 0 ? fruitless + 1 : 0,
  is_written: false,
});

async function* inOneBatch(rows: readonly RowValues[]): AsyncGenerator<readonly RowValues[]> {
  yield rows;
}
