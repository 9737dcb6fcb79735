import { Migration } from '@mikro-orm/migrations';
import { accessSchema } from './schema/access-schema.ts';
import { datasetsSchema } from './schema/datasets-schema.ts';
import { recordIndexSchema } from './schema/record-index-schema.ts';
import { recordsSchema } from './schema/records-schema.ts';
import { scorersSchema } from './schema/scorers-schema.ts';
import { trendsSchema } from './schema/trends-schema.ts';

/** The first schema, made of what thirty migrations had led to before anything was released. */
export class Schema extends Migration {
  override name = 'm0001-schema';

  override up(): void {
    for (const statements of [accessSchema, recordsSchema, recordIndexSchema, scorersSchema, datasetsSchema, trendsSchema])
      this.addSql(statements);
  }
}
