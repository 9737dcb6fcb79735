import { type Client, escapeIdentifier } from 'pg';

/** Settings that decide how values look as text; the same here and wherever a backup is restored. */
export const TEXT_SETTINGS =
  "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set extra_float_digits = 1; set bytea_output = 'hex'; set synchronize_seqscans = off; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0";

export interface TableSum {
  readonly rows: number;
  readonly checksum: string;
}

export const toList = (columns: readonly string[]): string => columns.map((name) => escapeIdentifier(name)).join(', ');

/** Rows and the sum of 60 bits of the MD5 of each as text: equal for equal rows in any order, on any version of PostgreSQL. */
export async function checksumTable(client: Client, table: string, columns: readonly string[]): Promise<TableSum> {
  const hash = `('x0' || left(md5(row(${toList(columns)})::text), 15))::bit(64)::bigint`;
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(${hash}), 0)::text as checksum from ${escapeIdentifier(table)}`,
  );
  return { rows: Number(rows[0]!.rows), checksum: rows[0]!.checksum };
}
