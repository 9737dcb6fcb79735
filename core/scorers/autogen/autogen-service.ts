import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { BudgetCheck } from '../../models/budgets/budget-check.ts';
import type { AutogenKind } from '../kinds/scorer-kinds.ts';
import { asJson } from '../validation/plan.ts';
import type { AutogenRequest } from './autogen.ts';
import { AUTOGEN } from './autogen-job.ts';

export interface AutogenServiceDeps {
  readonly jobs: Jobs;
  readonly spendingBudgets: BudgetCheck;
  readonly authorizer: Authorizer;
}

/** Having scorers written by a model. */
export class AutogenService {
  readonly #deps: AutogenServiceDeps;

  constructor(deps: AutogenServiceDeps) {
    this.#deps = deps;
  }

  /** Whether the caller has the model is found out on the way: a provider may be slow to say. */
  async start(caller: Caller, { id: kind }: AutogenKind, request: AutogenRequest): Promise<{ task_result_id: string }> {
    const { jobs, spendingBudgets, authorizer } = this.#deps;
    authorizer.authorizeInOrganization(caller, 'create_object');
    await spendingBudgets.requireLeftToBegin(null);
    const asked = { job_name: AUTOGEN, project_id: null, run_id: null, created_by: caller.user_id };
    const job = await jobs.start({ ...asked, request_data: asJson({ ...request, kind }) });
    return { task_result_id: job.id };
  }
}
