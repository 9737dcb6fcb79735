import type { Authorizer } from '../access/authorizer.ts';
import type { Caller } from '../access/caller.ts';
import type { Spending, SpendingDays, SpendingQuery, SpendingReport, SpendingStore } from './spending.ts';

/** Records and reports the cost of model calls. */
export class SpendingService {
  readonly #spendingStore: SpendingStore;
  readonly #authorizer: Authorizer;

  constructor(deps: { spendingStore: SpendingStore; authorizer: Authorizer }) {
    this.#spendingStore = deps.spendingStore;
    this.#authorizer = deps.authorizer;
  }

  /** Of all who pay for calls in the project. */
  async listModelSpending(caller: Caller, project_id: string, query: SpendingQuery): Promise<SpendingReport> {
    await this.#authorizer.authorize(caller, 'project', project_id, 'read');
    return toReport(await this.#spendingStore.list(project_id, query));
  }

  /** Of the caller, for calls that belong to no project. */
  async listOwnModelSpending({ user_id }: Caller, query: SpendingDays): Promise<SpendingReport> {
    return toReport(await this.#spendingStore.listOutsideProjects(user_id, query));
  }
}

const toReport = (spending: Spending[]): SpendingReport => ({
  spending,
  total_cost: spending.reduce((sum, { cost }) => sum + cost, 0),
  unpriced_calls: spending.reduce((sum, { unpriced_calls }) => sum + unpriced_calls, 0),
});
