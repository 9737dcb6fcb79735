import type { AuditEntry, AuditFacts } from '../../../core/access/audit/audit.ts';
import type { AuditQuery, AuditStore } from '../../../core/access/audit/audit-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import { decodeJson, encodeJson, encodeText } from '../database/text-codec.ts';
import { Parameters, toSlice } from '../traces/filter-sql.ts';
import { AuditLogTable } from './audit-tables.ts';

/** The mapper's driver returns `bigint` as text. */
type AuditRow = Omit<AuditEntry, 'sequence'> & { readonly sequence: string | number };

const COLUMNS = `sequence, at, action, object_kind, object_id, actor_id, actor_email, scheme, api_key_id, request_id, address,
  details, previous_hash, hash`;

const CONDITIONS: Readonly<Record<keyof AuditQuery, (parameter: string) => string>> = {
  actor_id: (parameter) => `actor_id = ${parameter}`,
  action: (parameter) => `action = ${parameter}`,
  object_kind: (parameter) => `object_kind = ${parameter}`,
  object_id: (parameter) => `object_id = ${parameter}`,
  from: (parameter) => `at >= ${parameter}::timestamptz`,
  to: (parameter) => `at < ${parameter}::timestamptz`,
};

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
    const parameters = new Parameters();
    const condition = toCondition(query, parameters);
    const rows = await this.#session.sql<AuditRow>(
      `select ${COLUMNS} from audit_log where ${condition} order by sequence desc ${toSlice(slice, parameters)}`,
      parameters.values,
    );
    return rows.map(toEntry);
  }

  async readAfter(sequence: number, limit: number): Promise<AuditEntry[]> {
    const rows = await this.#session.sql<AuditRow>(
      `select ${COLUMNS} from audit_log where sequence > $1 order by sequence limit $2`,
      [sequence, limit],
    );
    return rows.map(toEntry);
  }
}

function toCondition(query: AuditQuery, parameters: Parameters): string {
  const names = Object.keys(CONDITIONS) as (keyof AuditQuery)[];
  const conditions = names.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : CONDITIONS[name](parameters.bind(encodeText(value)));
  });
  return conditions.length > 0 ? conditions.join(' and ') : 'true';
}

const toEntry = ({ sequence, at, ...facts }: AuditRow): AuditEntry => ({
  ...(decodeJson(facts) as Omit<AuditEntry, 'sequence' | 'at'>),
  sequence: Number(sequence),
  at: toUtc(at)!,
});
