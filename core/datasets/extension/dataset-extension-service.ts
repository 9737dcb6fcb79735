import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import { asPluginError, providerFailure } from '../../integrations/provider-failure.ts';
import type { JobStore } from '../../jobs/job-store.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Transactions } from '../../kernel/ports.ts';
import type { BudgetCheck } from '../../models/budgets/budget-check.ts';
import type { ModelDirectory } from '../../models/model-directory.ts';
import { datasetNotFound } from '../dataset.ts';
import type { DatasetContentStore } from '../dataset-content-store.ts';
import type { DatasetCreationService } from '../dataset-creation-service.ts';
import type { DatasetStore } from '../dataset-store.ts';
import type { RowValues } from '../row.ts';
import type { ExtensionPlan, ExtensionProgress, ExtensionRequest } from './extension.ts';
import { type SourceRows, toSourceRows } from './source-rows.ts';

export interface DatasetExtensionDeps {
  readonly datasetCreationService: DatasetCreationService;
  readonly datasetStore: DatasetStore;
  readonly datasetContentStore: DatasetContentStore;
  readonly modelDirectory: ModelDirectory;
  readonly spendingBudgets: BudgetCheck;
  readonly jobs: Jobs;
  readonly jobStore: JobStore;
  readonly authorizer: Authorizer;
  readonly transactions: Transactions;
}

export const SYNTHETIC_ROWS = 'synthetic_datagen';

const UNNAMED = 'synthetic data';
const MAX_NAME = 200;

/** New datasets of rows that a model makes up, after the pattern of others or of a description. */
export class DatasetExtensionService {
  readonly #deps: DatasetExtensionDeps;

  constructor(deps: DatasetExtensionDeps) {
    this.#deps = deps;
  }

  /**
   * Makes the dataset, still without rows, and starts the work that fills it. Rejects with `bad_request` or `unavailable`
   * when none of the caller's integrations offers the model, and when a budget for its calls is spent.
   */
  async start(caller: Caller, request: ExtensionRequest): Promise<{ dataset_id: string }> {
    const { transactions, jobs, datasetCreationService } = this.#deps;
    const project_id = request.project_id ?? null;
    const facts = { append_suffix_if_duplicate: true, draft: false, hidden: false, project_id };
    await datasetCreationService.refuseCreation(caller, { name: UNNAMED, ...facts });
    const source = await this.#source(caller, request);
    await this.#deps.spendingBudgets.requireLeftToBegin(project_id);
    const plan: ExtensionPlan = {
      project_id,
      count: request.count,
      model: await this.#model(caller, request.prompt_settings?.model_alias ?? undefined),
      prompt: request.prompt ?? null,
      instructions: request.instructions ?? null,
      examples: [...request.examples, ...source.examples],
      columns: [...source.columns],
      known: [...source.known],
      data_types: request.data_types ?? [],
    };
    return transactions.run(async () => {
      const { id } = await datasetCreationService.create(
        caller,
        { name: source.name, ...facts },
        { columns: plan.columns, batches: nothing() },
      );
      const job = { id, job_name: SYNTHETIC_ROWS, project_id: null, run_id: null, created_by: caller.user_id };
      // The last step writes the rows: who waits for the steps to be equal reads the dataset next.
      await jobs.start({ ...job, request_data: plan, steps_total: plan.count + 1 });
      return { dataset_id: id };
    });
  }

  /** How far the dataset is from being filled. */
  async progress(caller: Caller, dataset_id: string): Promise<ExtensionProgress> {
    await this.#deps.authorizer.authorize(caller, 'dataset', dataset_id, 'read');
    const job = await this.#deps.jobStore.find(dataset_id);
    if (job?.job_name !== SYNTHETIC_ROWS)
      throw new AppError('not_found', 'extension_not_found', `dataset ${dataset_id} was not made by extending another`);
    const { status, progress_message, error_message, error_code, steps_completed } = job;
    const has_failed = status === 'failed' || status === 'cancelled';
    return {
      progress_message: error_message ?? progress_message,
      error_code,
      steps_completed,
      steps_total: has_failed ? steps_completed : job.steps_total,
    };
  }

  async #model(caller: Caller, alias: string | undefined): Promise<string> {
    const { modelDirectory } = this.#deps;
    try {
      if (alias !== undefined) return await modelDirectory.offer(caller.user_id, alias).then(() => alias);
      const model = await modelDirectory.anyModel(caller.user_id);
      if (model !== undefined) return model;
    } catch (error) {
      throw providerFailure(asPluginError(error));
    }
    throw new AppError('bad_request', 'model_not_configured', 'none of your integrations offers a model that writes texts');
  }

  async #source(caller: Caller, { source_dataset }: ExtensionRequest): Promise<SourceRows & { readonly name: string }> {
    if (!source_dataset) return { name: UNNAMED, columns: ['input'], examples: [], known: [] };
    const { authorizer, datasetStore, datasetContentStore } = this.#deps;
    await authorizer.authorize(caller, 'dataset', source_dataset.dataset_id, 'export');
    const dataset = await datasetStore.find(source_dataset.dataset_id);
    if (!dataset) throw datasetNotFound(source_dataset.dataset_id);
    const name = `${[...dataset.name].slice(0, MAX_NAME).join('')} extended`;
    return { name, ...(await toSourceRows(datasetContentStore, source_dataset)) };
  }
}

async function* nothing(): AsyncGenerator<readonly RowValues[]> {}
