import { Migration } from '@mikro-orm/migrations';

/** Budgets of projects and of the organisation, and indexes by which a month of spending is added up. */
export class SpendingBudgets extends Migration {
  override name = 'm0056-spending-budgets';

  override up(): void {
    this.addSql(`alter table model_prices add column if not exists daily_budget double precision,
      add column if not exists monthly_budget double precision`);
    this.addSql('create index if not exists model_spending_day_index on model_spending (project_id, day)');
    this.addSql('create index if not exists model_spending_of_all_index on model_spending (day)');
  }
}
