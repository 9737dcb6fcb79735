import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { SpendingQuery, SpendingReport, SpendingStore } from './spending.ts';

/** What judges cost. */
export class SpendingService {
  readonly #spendingStore: SpendingStore;
  readonly #authorizer: Authorizer;

  constructor(deps: { spendingStore: SpendingStore; authorizer: Authorizer }) {
    this.#spendingStore = deps.spendingStore;
    this.#authorizer = deps.authorizer;
  }

  async listModelSpending(caller: Caller, project_id: string, query: SpendingQuery): Promise<SpendingReport> {
    await this.#authorizer.authorize(caller, 'project', project_id, 'read');
    const spending = await this.#spendingStore.list(project_id, query);
    return { spending, total_cost: spending.reduce((sum, { cost }) => sum + cost, 0) };
  }
}
