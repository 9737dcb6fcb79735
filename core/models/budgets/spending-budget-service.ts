import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import type { Authorizer } from '../../access/authorizer.ts';
import type { Caller } from '../../access/caller.ts';
import type { Clock, Transactions } from '../../kernel/ports.ts';
import type { PriceStore } from '../prices/own-prices.ts';
import type { SpendingStore } from '../spending.ts';
import type { Budget, ProjectSpendingBudget, SpendingBudget } from './spending-budget.ts';
import type { SpendingBudgets } from './spending-budgets.ts';

export interface SpendingBudgetServiceDeps {
  readonly priceStore: Pick<PriceStore, 'findBudget' | 'setBudget'>;
  readonly spendingStore: Pick<SpendingStore, 'sumCosts'>;
  readonly spendingBudgets: Pick<SpendingBudgets, 'forget' | 'isOrganizationSpent'>;
  readonly authorizer: Authorizer;
  readonly auditTrail: AuditTrail;
  readonly transactions: Transactions;
  readonly clock: Clock;
}

/** Sets and shows what calls of models may cost in a project, and in the whole organisation. */
export class SpendingBudgetService {
  readonly #deps: SpendingBudgetServiceDeps;

  constructor(deps: SpendingBudgetServiceDeps) {
    this.#deps = deps;
  }

  async getOfOrganization(caller: Caller): Promise<SpendingBudget> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'read_users');
    return this.#read(null);
  }

  async setOfOrganization(caller: Caller, body: Budget): Promise<SpendingBudget> {
    this.#deps.authorizer.authorizeInOrganization(caller, 'manage_prices');
    await this.#set(caller, null, body);
    return this.#read(null);
  }

  async getOfProject(caller: Caller, project_id: string): Promise<ProjectSpendingBudget> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'read');
    return this.#readOfProject(project_id);
  }

  async setOfProject(caller: Caller, project_id: string, body: Budget): Promise<ProjectSpendingBudget> {
    await this.#deps.authorizer.authorize(caller, 'project', project_id, 'update');
    await this.#set(caller, project_id, body);
    return this.#readOfProject(project_id);
  }

  async #read(project_id: string | null): Promise<SpendingBudget> {
    const { priceStore, spendingStore, clock } = this.#deps;
    const [budget, { today, this_month }] = await Promise.all([
      priceStore.findBudget(project_id),
      spendingStore.sumCosts(project_id, clock().toISOString().slice(0, 10)),
    ]);
    return { ...budget, spent_today: today, spent_this_month: this_month };
  }

  /** Of the organisation only whether all is spent: what others spend is not for everybody. */
  async #readOfProject(project_id: string): Promise<ProjectSpendingBudget> {
    const [own, is_spent_by_organization] = await Promise.all([
      this.#read(project_id),
      this.#deps.spendingBudgets.isOrganizationSpent(),
    ]);
    return { ...own, is_spent_by_organization };
  }

  async #set(caller: Caller, project_id: string | null, { daily, monthly }: Budget): Promise<void> {
    const { priceStore, spendingBudgets, auditTrail, transactions } = this.#deps;
    await transactions.run(async () => {
      await priceStore.setBudget(project_id, { daily, monthly });
      const object =
        project_id === null
          ? { object_kind: 'organization', object_id: null }
          : { object_kind: 'project', object_id: project_id };
      await auditTrail.note(caller, { action: 'spending_budget.set', ...object, details: { daily, monthly } });
    });
    spendingBudgets.forget();
  }
}
