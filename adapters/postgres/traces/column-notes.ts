import { MAX_OWN_COLUMNS, type NewColumn, ObservedColumns } from '../../../core/traces/columns/observed-columns.ts';
import type { LogRecord } from '../../../core/traces/record.ts';
import { encodeText } from '../database/text-codec.ts';
import type { WriterSql } from './writer-connection.ts';

/**
 * Sorted by key, so that two writers cannot lock each other out. A run that has its share of names gets no more;
 * standard columns, whose ids have no slash, are always let in. The columns come by run: each run is counted once, and
 * nothing is joined that a connection without hash joins would compare each with each.
 */
const INSERT = `
insert into record_columns (project_id, run_id, column_id, type, data_type)
select run.project_id, run.run_id, news.column_id, news.type, news.data_type
from jsonb_to_recordset($1::jsonb) as run(project_id uuid, run_id uuid, columns jsonb)
cross join lateral (
  select count(*) as own from record_columns c
  where c.project_id = run.project_id and c.run_id = run.run_id and strpos(c.column_id, '/') > 0
) as held
cross join lateral (
  select row.*, row_number() over (partition by strpos(row.column_id, '/') > 0 order by row.column_id, row.type, row.data_type) as place
  from jsonb_to_recordset(run.columns) as row(type text, column_id text, data_type text)
  where not exists (
    select from record_columns c
    where c.project_id = run.project_id and c.run_id = run.run_id
      and c.column_id = row.column_id and c.type = row.type and c.data_type = row.data_type
  )
) as news
where strpos(news.column_id, '/') = 0 or held.own + news.place <= ${MAX_OWN_COLUMNS}
order by 1, 2, 3, 4, 5
on conflict do nothing`;

/** Keeps, with the records that have them, the columns that a run was not known to have. */
export class ColumnNotes {
  readonly #seen = new ObservedColumns();

  unknownIn(records: readonly LogRecord[]): NewColumn[] {
    return this.#seen.unknownIn(records);
  }

  /** To be the last statement of a transaction: others wait for what it inserts. */
  async write(sql: WriterSql, columns: readonly NewColumn[]): Promise<void> {
    if (columns.length > 0) await sql.executeSql(INSERT, [JSON.stringify(byRun(columns))]);
  }

  /** To be called once the transaction is committed. */
  remember(columns: readonly NewColumn[]): void {
    this.#seen.remember(columns);
  }
}

function byRun(columns: readonly NewColumn[]): object[] {
  const runs = Map.groupBy(columns, ({ project_id, run_id }) => `${project_id} ${run_id}`);
  return [...runs.values()].map((of) => {
    const { project_id, run_id } = of[0]!;
    const told = of.map(({ type, column_id, data_type }) => ({ type, column_id: encodeText(column_id), data_type }));
    return { project_id, run_id, columns: told };
  });
}
