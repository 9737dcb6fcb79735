import type { MikroORM } from '@mikro-orm/postgresql';
import { PostgresSession } from './postgres-session.ts';

/** The migration that they became. */
const SCHEMA = 'm0001-schema';

/** The migrations that there were before they became one, all of which a database must have had to have its schema. */
export const FORMER_MIGRATIONS = [
  'm0001-first-schema',
  'm0002-access',
  'm0003-sessions',
  'm0004-record-columns',
  'm0005-retention',
  'm0006-record-index',
  'm0007-datasets',
  'm0008-import-jobs',
  'm0009-incomplete-traces',
  'm0010-integrations',
  'm0011-score-states',
  'm0012-judge-calls',
  'm0013-health',
  'm0013-shadow-scoring',
  'm0014-cheap-record-index',
  'm0015-trends',
  'm0016-alerts',
  'm0017-jobs',
  'm0018-scorers',
  'm0019-templates',
  'm0020-experiments',
  'm0021-ratings',
  'm0022-health-figures',
  'm0024-dashboard-contents',
  'm0024-ended-sessions',
  'm0025-scorer-suspensions',
  'm0028-client-amendments',
  'm0029-content-blocks',
  'm0032-one-spending-ledger',
  'm0034-alert-channels',
] as const;

const LAST = FORMER_MIGRATIONS.at(-1);
const FORMER: ReadonlySet<string> = new Set(FORMER_MIGRATIONS);

/**
 * Says of a database that had all former migrations that it has the schema that they became; its data stay as they are.
 * Call it under the migration lock. Rejects when it stands before the last of them.
 */
export async function adoptFormerMigrations(orm: MikroORM): Promise<void> {
  const applied = (await orm.migrator.getExecuted()).map(({ name }) => name);
  if (toCurrentMigrations(applied).length === applied.length) return;
  await new PostgresSession({ orm }).sql(
    'with former as (delete from schema_migrations where name = any($1)) insert into schema_migrations (name) values ($2)',
    [FORMER_MIGRATIONS, SCHEMA],
  );
}

/**
 * The migrations of today that led to the same schema as those a database or a backup names. Throws when it stands before
 * the last of the former ones: there is no way from there any more.
 */
export function toCurrentMigrations(applied: readonly string[]): string[] {
  const later = applied.filter((name) => !FORMER.has(name));
  if (later.length === applied.length) return later;
  const missing = FORMER_MIGRATIONS.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    throw new Error(
      `the schema is of an early version, before migration ${LAST}: start the last version that has ${LAST} once, and then this one`,
    );
  return [SCHEMA, ...later];
}
