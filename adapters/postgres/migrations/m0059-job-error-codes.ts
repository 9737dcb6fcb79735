import { Migration } from '@mikro-orm/migrations';

/** The code of the error by which a job failed. Jobs that failed before have none. */
export class JobErrorCodes extends Migration {
  override name = 'm0059-job-error-codes';

  override up(): void {
    this.addSql('alter table jobs add column if not exists error_code text');
  }
}
