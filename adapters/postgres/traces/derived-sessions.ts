import { AppError } from '../../../core/kernel/errors.ts';
import type { StoredSession } from '../../../core/traces/sessions/session.ts';
import { BatchedStatement } from '../database/batched-statement.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { encodeText } from '../database/text-codec.ts';
import { STORED_COLUMNS, type StoredRow, toSessionValues, toStoredSession } from './record-session-row.ts';

/** Name of a session that its application gave it. */
export interface SessionName {
  readonly project_id: string;
  readonly run_id: string;
  readonly external_id: string;
}

type NamedSession = StoredSession & SessionName;
type InsertedRow = { readonly held_project: string; readonly held_run: string } & (StoredRow | { readonly id: null });
type Inserted = StoredSession | 'taken' | 'run_gone';

const FIND = `
select s.* from unnest($1::uuid[], $2::uuid[], $3::text[]) as wanted(project_id, run_id, external_id) cross join lateral (
  select ${STORED_COLUMNS} from sessions
  where project_id = wanted.project_id and run_id = wanted.run_id and external_id = wanted.external_id offset 0
) as s`;

/** Runs are held until the sessions are in: they are removed before this, or with it. In one order, so that two such statements cannot wait for each other. */
const INSERT = `
with given as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::jsonb[], $8::timestamptz[], $9::timestamptz[])
    as row(${STORED_COLUMNS})
), held as materialized (
  select project_id, id from runs where (project_id, id) in (select project_id, run_id from given) order by project_id, id for key share
), made as (
  insert into sessions (${STORED_COLUMNS}, is_derived)
  select given.*, true from given join held on held.project_id = given.project_id and held.id = given.run_id
  order by given.project_id, given.run_id, given.external_id
  on conflict do nothing returning ${STORED_COLUMNS}
)
select held.project_id as held_project, held.id as held_run, made.*
from held left join made on made.project_id = held.project_id and made.run_id = held.id`;

/**
 * Sessions that traces name by external id, found and made for all requests that ask at once: traces name the same sessions
 * again and again, and a statement of its own for each request costs more than writing the trace.
 */
export class DerivedSessions {
  readonly #session: PostgresSession;
  readonly #finding = new BatchedStatement((names: readonly SessionName[]) => this.#find(names));
  readonly #inserting = new BatchedStatement((sessions: readonly NamedSession[]) => this.#insert(sessions));

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  find(name: SessionName): Promise<StoredSession | undefined> {
    return this.#finding.ask(name);
  }

  /** As `SessionStore.findOrInsert` of a session that nobody created and that has an external id. */
  async findOrInsert(session: NamedSession): Promise<StoredSession | undefined> {
    const made = await this.#inserting.ask(session);
    if (made === 'run_gone')
      throw new AppError('not_found', 'run_not_found', `project ${session.project_id} has no run ${session.run_id}`);
    return made === 'taken' ? undefined : made;
  }

  async #find(names: readonly SessionName[]): Promise<(StoredSession | undefined)[]> {
    const wanted = names.map((name) => ({ ...name, external_id: encodeText(name.external_id) }));
    const rows = await this.#session.sql<StoredRow>(FIND, [
      wanted.map(({ project_id }) => project_id),
      wanted.map(({ run_id }) => run_id),
      wanted.map(({ external_id }) => external_id),
    ]);
    const found = new Map(rows.map((row) => [getKey(toStoredSession(row) as NamedSession), row]));
    return names.map((name) => {
      const row = found.get(getKey(name));
      return row && toStoredSession(row);
    });
  }

  async #insert(sessions: readonly NamedSession[]): Promise<Inserted[]> {
    const values = sessions.map(toSessionValues);
    const columns = values[0]!.map((_, column) => values.map((row) => row[column]));
    const rows = await this.#session.sql<InsertedRow>(INSERT, columns);
    const runs = new Set(rows.map(({ held_project, held_run }) => `${held_project} ${held_run}`));
    const stored = rows.flatMap((row) => (row.id === null ? [] : [toStoredSession(row as StoredRow)]));
    const made = new Map(stored.map((session) => [getKey(session as NamedSession), session]));
    const left = sessions.filter((session) => !made.has(getKey(session)));
    const others = left.length === 0 ? [] : await this.#find(left);
    const byName = new Map(left.map((session, at) => [getKey(session), others[at]]));
    return sessions.map((session) => {
      if (!runs.has(`${session.project_id} ${session.run_id}`)) return 'run_gone';
      return structuredClone(made.get(getKey(session)) ?? byName.get(getKey(session)) ?? 'taken');
    });
  }
}

const getKey = ({ project_id, run_id, external_id }: SessionName): string => `${project_id} ${run_id} ${external_id}`;
