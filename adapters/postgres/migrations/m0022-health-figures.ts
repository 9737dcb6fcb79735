import { Migration } from '@mikro-orm/migrations';

export class HealthFigures extends Migration {
  override name = 'm0022-health-figures';

  override up(): void {
    this.addSql(
      `alter table "health_scores" add column "interval" jsonb null, add column "baseline" jsonb null,
        add column "confusion_table" jsonb null;`,
    );
  }
}
