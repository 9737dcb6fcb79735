import type { PostgresSession } from '../../adapters/postgres/database/postgres-session.ts';

/** Written by refused requests too, as they have to: failed logins, what was refused, when a key was last used. */
const MOVING = /^(login_attempts|audit_\w+|api_keys|schema_migrations)$/;

/** Rows and a sum over their contents, by table. */
export type State = ReadonlyMap<string, string>;

/** Looks at everything that requests change, to tell whether one did. */
export async function watchState(session: PostgresSession): Promise<() => Promise<State>> {
  const tables = await session.sql<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1",
  );
  const sums = tables
    .filter(({ name }) => !MOVING.test(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as sum from "${name}" t`,
    )
    .join(' union all ');
  return async () => {
    const rows = await session.sql<{ name: string; sum: string }>(sums);
    return new Map(rows.map(({ name, sum }) => [name, sum]));
  };
}

export const changes = (before: State, after: State): string[] =>
  [...after].filter(([name, sum]) => before.get(name) !== sum).map(([name]) => name);
