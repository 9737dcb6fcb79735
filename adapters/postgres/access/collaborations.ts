import type { ObjectRef } from '../../../core/access/role.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';

/** One of the two tables of collaborators, of users or of groups: they differ in nothing but a name. */
export class Collaborations<Row extends { readonly created_at: string }> {
  readonly #session: PostgresSession;
  readonly #toSubject: (row: Row) => string;
  readonly #subject: string;
  readonly #table: string;
  readonly #columns: string;

  constructor(session: PostgresSession, side: 'user' | 'group', toSubject: (row: Row) => string) {
    this.#session = session;
    this.#toSubject = toSubject;
    this.#subject = `${side}_id`;
    this.#table = `${side}_collaborators`;
    this.#columns = `id, ${side}_id, role, created_at`;
  }

  /** Whoever is named twice gets the last role. */
  async put(object: ObjectRef, rows: readonly Row[]): Promise<Row[]> {
    const subject = this.#subject;
    const last = new Map(rows.map((row) => [this.#toSubject(row), row]));
    const stored = await this.#session.sql<Row>(
      `insert into ${this.#table} (object_kind, object_id, ${this.#columns})
       select $1, $2::uuid, ${this.#columns}
       from jsonb_to_recordset($3::jsonb) as row(id uuid, ${subject} uuid, role text, created_at timestamptz)
       on conflict (object_kind, object_id, ${subject}) do update set role = excluded.role
       returning ${this.#columns}`,
      [object.kind, object.id, JSON.stringify([...last.values()])],
    );
    const byId = new Map(stored.map((row) => [this.#toSubject(row), inUtc(row)]));
    return rows.map((row) => ({ ...byId.get(this.#toSubject(row))! }));
  }

  async find(object: ObjectRef, id: string): Promise<Row | undefined> {
    const [row] = await this.#session.sql<Row>(
      `select ${this.#columns} from ${this.#table} where object_kind = $1 and object_id = $2 and ${this.#subject} = $3`,
      [object.kind, object.id, id],
    );
    return row && inUtc(row);
  }

  async list(object: ObjectRef, { limit, offset }: Slice): Promise<Row[]> {
    const rows = await this.#session.sql<Row>(
      `select ${this.#columns} from ${this.#table} where object_kind = $1 and object_id = $2
       order by created_at, id limit $3 offset $4`,
      [object.kind, object.id, limit, offset],
    );
    return rows.map(inUtc);
  }

  async remove(object: ObjectRef, id: string): Promise<boolean> {
    const removed = await this.#session.sql(
      `delete from ${this.#table} where object_kind = $1 and object_id = $2 and ${this.#subject} = $3 returning id`,
      [object.kind, object.id, id],
    );
    return removed.length > 0;
  }

  async removeEverywhere(id: string): Promise<void> {
    await this.#session.sql(`delete from ${this.#table} where ${this.#subject} = $1`, [id]);
  }

  async removeAllOf(object: ObjectRef): Promise<void> {
    await this.#session.sql(`delete from ${this.#table} where object_kind = $1 and object_id = $2`, [object.kind, object.id]);
  }
}

const inUtc = <Row extends { readonly created_at: string }>(row: Row): Row => ({
  ...row,
  created_at: toUtc(row.created_at) ?? row.created_at,
});
