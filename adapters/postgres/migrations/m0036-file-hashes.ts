import { Migration } from '@mikro-orm/migrations';

/** The hash of what files hold, by which the evidence of a score names them. Files that are there have none. */
export class FileHashes extends Migration {
  override name = 'm0036-file-hashes';

  override up(): void {
    this.addSql('alter table files add column if not exists sha256 text');
  }
}
