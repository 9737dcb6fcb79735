import { Migration } from '@mikro-orm/migrations';

/** The audit for bias that a gate asks for. */
export class GatesWithAudits extends Migration {
  override name = 'm0033-gates-with-audits';

  override up(): void {
    this.addSql('alter table scorer_gates add column if not exists audit jsonb');
  }
}
