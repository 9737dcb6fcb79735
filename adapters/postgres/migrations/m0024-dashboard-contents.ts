import { Migration } from '@mikro-orm/migrations';

export class DashboardContents extends Migration {
  override name = 'm0024-dashboard-contents';

  override up(): void {
    this.addSql(`create index "trend_dashboards_contents_index" on "trend_dashboards" using gin ("dashboard" jsonb_path_ops);`);
  }
}
