import type { LogRecord } from '../../core/traces/record.ts';
import { MAX_OWN_COLUMNS, type NewColumn, SeenColumns } from '../../core/traces/seen-columns.ts';
import { encodeText } from './text-codec.ts';
import type { LaneSql } from './writer-lane.ts';

/**
 * Sorted by key, so that two writers cannot lock each other out. A run that has its share of names gets no more;
 * standard columns, whose ids have no slash, are always let in.
 */
const INSERT = `
with news as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row(project_id uuid, run_id uuid, type text, column_id text, data_type text)
), held as materialized (
  select run.project_id, run.run_id, (
    select count(*) from record_columns c where c.project_id = run.project_id and c.run_id = run.run_id
  ) as columns
  from (select distinct project_id, run_id from news) as run
)
insert into record_columns (project_id, run_id, column_id, type, data_type)
select news.project_id, news.run_id, news.column_id, news.type, news.data_type
from news join held on held.project_id = news.project_id and held.run_id = news.run_id
where strpos(news.column_id, '/') = 0 or held.columns < ${MAX_OWN_COLUMNS}
order by 1, 2, 3, 4, 5
on conflict do nothing`;

/** Keeps, with the records that have them, the columns that a run was not known to have. */
export class ColumnNotes {
  readonly #seen = new SeenColumns();

  unknownIn(records: readonly LogRecord[]): NewColumn[] {
    return this.#seen.unknownIn(records);
  }

  /** To be the last statement of a transaction: others wait for what it inserts. */
  async write(sql: LaneSql, columns: readonly NewColumn[]): Promise<void> {
    const rows = columns.map((column) => ({ ...column, column_id: encodeText(column.column_id) }));
    if (rows.length > 0) await sql.executeSql(INSERT, [JSON.stringify(rows)]);
  }

  /** To be called once the transaction is committed. */
  remember(columns: readonly NewColumn[]): void {
    this.#seen.remember(columns);
  }
}
