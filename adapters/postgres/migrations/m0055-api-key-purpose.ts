import { Migration } from '@mikro-orm/migrations';

/** The one thing that a key is good for. Keys that are there stay good for all that their owners may. */
export class ApiKeyPurposes extends Migration {
  override name = 'm0055-api-key-purpose';

  override up(): void {
    this.addSql('alter table api_keys add column if not exists purpose text');
  }
}
