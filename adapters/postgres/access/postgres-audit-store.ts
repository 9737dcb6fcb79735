import { sql } from 'kysely';
import type { AuditEntry, AuditFacts } from '../../../core/access/audit/audit.ts';
import type { AuditQuery, AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { allOf, type Condition, type Fragment } from '../database/sql.ts';
import { decodeJson, encodeJson, encodeText } from '../database/text-codec.ts';
import { inSlice } from '../traces/filter-sql.ts';
import { AuditLogTable } from './audit-tables.ts';

/** The mapper's driver returns `bigint` as text. */
type AuditRow = Omit<AuditEntry, 'sequence'> & { readonly sequence: string | number };

const COLUMNS = [
  'sequence',
  'at',
  'action',
  'object_kind',
  'object_id',
  'actor_id',
  'actor_email',
  'scheme',
  'api_key_id',
  'request_id',
  'address',
  'details',
  'previous_hash',
  'hash',
] as const;

const CONDITIONS: Readonly<Record<keyof AuditQuery, (values: readonly string[]) => Condition>> = {
  actor_id: (values) => isOneOf(sql`actor_id`, values),
  action: (values) => isOneOf(sql`action`, values),
  object_kind: (values) => isOneOf(sql`object_kind`, values),
  object_id: (values) => isOneOf(sql`object_id`, values),
  from: ([value]) => sql`at >= ${value}::timestamptz`,
  to: ([value]) => sql`at < ${value}::timestamptz`,
};

/** A single value by itself: the index then gives its lines in their order. */
const isOneOf = (column: Fragment, values: readonly string[]): Condition =>
  values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]}::text[])`;

export class PostgresAuditStore implements AuditStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  /** Whoever locks the head is next; the others wait until that transaction is over, and then see what it left. */
  append(facts: AuditFacts, seal: (sequence: number, previous_hash: string) => string): Promise<void> {
    return this.#session.run(async () => {
      const [head] = await this.#session.sql<{ sequence: string; hash: string }>(
        'select sequence, hash from audit_head for update',
      );
      if (!head) throw new Error('the audit log has lost its head');
      const sequence = Number(head.sequence) + 1;
      const entry: AuditEntry = { ...facts, sequence, previous_hash: head.hash, hash: seal(sequence, head.hash) };
      await this.#session.em.insert(AuditLogTable, encodeJson(entry) as AuditEntry);
      await this.#session.sql('update audit_head set sequence = $1, hash = $2', [sequence, entry.hash]);
    });
  }

  async list(query: AuditQuery, slice: Slice): Promise<AuditEntry[]> {
    const newest = this.#session.db.selectFrom('audit_log').select(COLUMNS).where(toCondition(query)).orderBy('sequence', 'desc');
    const rows = await newest.$call(inSlice(slice)).$castTo<AuditRow>().execute();
    return rows.map(toEntry);
  }

  async readAfter(sequence: number, limit: number): Promise<AuditEntry[]> {
    const next = this.#session.db.selectFrom('audit_log').select(COLUMNS).where(sql<boolean>`sequence > ${sequence}`);
    const rows = await next.orderBy('sequence').limit(limit).$castTo<AuditRow>().execute();
    return rows.map(toEntry);
  }
}

function toCondition(query: AuditQuery): Condition {
  const names = Object.keys(CONDITIONS) as (keyof AuditQuery)[];
  return allOf(
    names.flatMap((name) => {
      const value = query[name];
      return value === undefined ? [] : [CONDITIONS[name]([value].flat().map(encodeText))];
    }),
  );
}

const toEntry = ({ sequence, at, ...facts }: AuditRow): AuditEntry => ({
  ...(decodeJson(facts) as Omit<AuditEntry, 'sequence' | 'at'>),
  sequence: Number(sequence),
  at: toUtc(at)!,
});
