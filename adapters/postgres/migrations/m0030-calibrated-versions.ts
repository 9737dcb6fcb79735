import { Migration } from '@mikro-orm/migrations';

/** The mapping that a version of a scorer applies to its scores. */
export class CalibratedVersions extends Migration {
  override name = 'm0030-calibrated-versions';

  override up(): void {
    this.addSql('alter table scorer_versions add column if not exists calibration jsonb');
  }
}
