import { Migration } from '@mikro-orm/migrations';

/** Whether a project, or the organisation, forbids calls of models without a price. */
export class UnpricedModels extends Migration {
  override name = 'm0029-unpriced-models';

  override up(): void {
    this.addSql('alter table model_prices add column if not exists forbids_unpriced boolean not null default false');
  }
}
