import { asPluginError, toRefusal, wordsFor } from '../../integrations/provider-failure.ts';
import type { JobRecord } from '../../jobs/job.ts';
import type { JobContext, JobHandler } from '../../jobs/job-handler.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Clock, NewId, Transactions } from '../../kernel/ports.ts';
import { Deferred } from '../../kernel/work-queue.ts';
import { openForJob } from '../../models/job-model.ts';
import type { ModelGateway } from '../../models/model-gateway.ts';
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
  readonly modelGateway: Pick<ModelGateway, 'session'>;
  readonly transactions: Transactions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly datasetBlockSize: number;
}

const ROWS_A_CALL = 10;
const DEADLINE_MS = 120_000;
const MAX_TOKENS = 8_000;
/** Calls in a row that brought nothing new: the model has no more to say. */
const MAX_FRUITLESS = 3;

const NOTHING_YET: ExtensionState = { rows: [], fruitless: 0, is_written: false };

/** Has a model make up the rows of a dataset, and writes them as one version. */
export class SyntheticRowsJob implements JobHandler {
  readonly job_name = SYNTHETIC_ROWS;
  readonly #deps: SyntheticRowsDeps;

  constructor(deps: SyntheticRowsDeps) {
    this.#deps = deps;
  }

  /** Rows that were paid for are written, also when the model fails before there are enough. */
  async run(job: JobRecord, context: JobContext, signal: AbortSignal): Promise<JsonValue> {
    const plan = ExtensionPlan.parse(job.request_data);
    let state = job.state === null ? NOTHING_YET : ExtensionState.parse(job.state);
    let failure: PluginError | undefined;
    while (!failure && !state.is_written && state.rows.length < plan.count && state.fruitless < MAX_FRUITLESS) {
      signal.throwIfAborted();
      const answer = await this.#ask(job, plan, state.rows, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (error instanceof Deferred) throw error;
        return asPluginError(error);
      });
      if (answer instanceof Error) failure = keptFailure(answer, state);
      else {
        state = grown(state, newRowsIn(answer, plan, state.rows), plan.count);
        await context.report({
          ...toSteps(plan, state.rows.length),
          message: `${state.rows.length} of ${plan.count} rows`,
          state,
        });
      }
    }
    if (!state.is_written) await this.#write(job, plan, state.rows, context, failure);
    return { rows: state.rows.length };
  }

  async #ask(job: JobRecord, plan: ExtensionPlan, made: readonly RowValues[], signal: AbortSignal): Promise<Completion> {
    const wanted = Math.min(ROWS_A_CALL, plan.count - made.length);
    const { project_id, model: alias } = plan;
    const none = { run_id: null, scorer_id: null, scorer_version_id: null };
    const usage = { purpose: 'synthetic_rows', user_id: job.created_by, project_id, ...none } as const;
    const model = await openForJob(this.#deps.modelGateway, { usage, alias, job });
    const question = { ...questionFor(plan, wanted, made), max_tokens: MAX_TOKENS };
    return (await model.ask(question, { signal, deadlineMs: DEADLINE_MS })).completion;
  }

  #write(
    job: JobRecord,
    plan: ExtensionPlan,
    rows: readonly RowValues[],
    context: JobContext,
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
        await context.report({ steps_completed: all, steps_total: all, message, state: { ...NOTHING_YET, is_written: true } });
      }),
    );
  }
}

/** Throws when there is nothing to keep. */
function keptFailure(error: PluginError, { rows }: ExtensionState): PluginError {
  if (rows.length === 0) throw toRefusal(error);
  return error;
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
