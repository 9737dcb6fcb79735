import { createHmac } from 'node:crypto';
import { adminUrl, DATABASE, query, type ServerAddress } from './server-connection.ts';

/**
 * Whom the service works as: owner of the database, and nothing beyond it. The superuser that initdb makes is for set-up alone,
 * because a superuser runs programs and reads files by SQL.
 */
export const SERVICE_ROLE = 'touchstone_service';

/** Moving what an older version made may wait for what is left of its connections. */
const MOVE_MILLIS = 60_000;
const RIGHTS = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';

const OURS = `namespace.nspname !~ '^pg_' and namespace.nspname <> 'information_schema'`;

/**
 * Gives the service's role all that the superuser owns in this database, as older versions made everything as superuser. The superuser
 * cannot do without its attribute, nor have its objects reassigned as a whole: some are the system's.
 */
const TAKE_OVER = `
do $$
declare one record;
begin
  execute format('alter database %I owner to ${SERVICE_ROLE}', current_database());
  for one in
    select format('schema %I', namespace.nspname) as object from pg_namespace namespace
      where nspowner = current_user::regrole and ${OURS}
    union all
    select format('table %s', class.oid::regclass) from pg_class class join pg_namespace namespace on namespace.oid = relnamespace
      where relowner = current_user::regrole and ${OURS} and relkind in ('r', 'p', 'v', 'm', 'f')
    union all
    select format('sequence %s', class.oid::regclass) from pg_class class join pg_namespace namespace on namespace.oid = relnamespace
      where relowner = current_user::regrole and ${OURS} and relkind = 'S' and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = class.oid
          and refclassid = 'pg_class'::regclass and deptype in ('a', 'i'))
    union all
    select format('type %s', type.oid::regtype) from pg_type type join pg_namespace namespace on namespace.oid = typnamespace
      left join pg_class class on class.oid = typrelid
      where typowner = current_user::regrole and ${OURS} and (typtype in ('e', 'd', 'r') or class.relkind = 'c')
    union all
    select format('routine %s', routine.oid::regprocedure) from pg_proc routine join pg_namespace namespace on namespace.oid = pronamespace
      where proowner = current_user::regrole and ${OURS}
  loop
    execute format('alter %s owner to ${SERVICE_ROLE}', one.object);
  end loop;
end $$`;

/** Where the service finds its database. */
export function serviceUrl({ port, password }: ServerAddress): string {
  return `postgres://${SERVICE_ROLE}:${servicePassword(password)}@127.0.0.1:${port}/${DATABASE}`;
}

/** Makes the service's role, and makes it the owner of the database and of all that is in it. May be called again. */
export async function ensureServiceRole(address: ServerAddress): Promise<void> {
  const url = adminUrl(address);
  const verb = (await hasServiceRole(address)) ? 'alter' : 'create';
  await query(url, `${verb} role ${SERVICE_ROLE} ${RIGHTS} password '${servicePassword(address.password)}'`);
  await query(url, TAKE_OVER, MOVE_MILLIS);
}

export async function hasServiceRole(address: ServerAddress): Promise<boolean> {
  return (await query(adminUrl(address), `select from pg_roles where rolname = '${SERVICE_ROLE}'`)).length > 0;
}

/** Follows from the superuser's, which does not follow from it: one file keeps both. Hexadecimal needs no escaping. */
const servicePassword = (password: string): string => createHmac('sha256', password).update(SERVICE_ROLE).digest('hex');
