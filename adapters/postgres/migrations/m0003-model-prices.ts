import { Migration } from '@mikro-orm/migrations';

/** Own prices of models, by project. */
export class ModelPrices extends Migration {
  override name = 'm0003-model-prices';

  override up(): void {
    this.addSql(`create table if not exists model_prices (
  project_id uuid not null,
  prices jsonb not null,
  primary key (project_id)
)`);
  }
}
