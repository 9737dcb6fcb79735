import { sql } from 'kysely';
import { LARGE_FIELDS } from '../../../core/traces/read/projected-record.ts';
import type { Fragment } from '../database/sql.ts';
import { RECORD_COLUMNS } from './stored-columns.ts';

const LARGE_COLUMNS = [...LARGE_FIELDS, 'content_blocks'] as const;
type LargeColumn = (typeof LARGE_COLUMNS)[number];
/** Of JSON that is stored in fewer bytes it is not worth to know how long it is. */
const SMALL_JSON = 500;

/** Bytes of the large columns of `records r` that are read: of texts as they are, of JSON as it is stored, in part compressed. */
export const storedBytesSql = (unread: ReadonlySet<string> | undefined): Fragment<number> =>
  sumSql(unread, (name) => (isJson(name) ? `pg_column_size(r.${name})` : `octet_length(r.${name})`));

/** The same, of JSON as the text that is read. */
export const bytesSql = (unread: ReadonlySet<string> | undefined): Fragment<number> =>
  sumSql(unread, (name) => {
    if (!isJson(name)) return `octet_length(r.${name})`;
    const stored = `pg_column_size(r.${name})`;
    return `case when ${stored} < ${SMALL_JSON} then ${stored} else octet_length(r.${name}::text) end`;
  });

const isJson = (name: LargeColumn): boolean => RECORD_COLUMNS[name].type === 'jsonb';

/** SQL of the size of `records r`, from the heads of its values: none of them is unpacked for it. */
export const RECORD_SIZE = `(${LARGE_COLUMNS.map((name) => `coalesce(${isJson(name) ? 'pg_column_size' : 'octet_length'}(r.${name}), 0)`).join(' + ')})`;

function sumSql(unread: ReadonlySet<string> | undefined, toSize: (name: LargeColumn) => string): Fragment<number> {
  const sizes = LARGE_COLUMNS.filter((name) => !unread?.has(name)).map((name) => `coalesce(${toSize(name)}, 0)`);
  return sql.raw(['0::bigint', ...sizes].join(' + '));
}
