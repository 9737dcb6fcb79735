import { Migration } from '@mikro-orm/migrations';

/** All calls of models are counted, not those of judges alone: by what they were made for, and by who paid. */
export class OneSpendingLedger extends Migration {
  override name = 'm0032-one-spending-ledger';

  override up(): void {
    const none = `'00000000-0000-0000-0000-000000000000'`;
    this.addSql(`alter table "model_spending"
      add column "user_id" uuid not null default ${none},
      add column "purpose" text not null default 'judge',
      drop constraint "model_spending_pkey",
      add primary key ("project_id", "run_id", "scorer_id", "scorer_version_id", "user_id", "purpose", "provider", "model", "day");`);
    this.addSql(`alter table "model_spending" alter column "user_id" drop default, alter column "purpose" drop default;`);
  }
}
