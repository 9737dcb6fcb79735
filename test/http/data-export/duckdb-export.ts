import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { COMMON_FIELD_NAMES, commonField, OWN_FIELD_NAMES, ownField } from '../../../core/traces/catalogue/record-fields.ts';
import { ownFieldsOf, type RecordType } from '../../../core/traces/catalogue/span-types.ts';

type Row = Readonly<Record<string, unknown>>;

const [VIEWS, QUESTION] = [
  ...readFileSync(new URL('../../../docs/data-export.md', import.meta.url), 'utf8').matchAll(/```sql\n(.*?)```/gs),
].map(([, sql]) => sql!);

/** The files of a folder as DuckDB reads them, by the views of the documentation. */
export async function readExport(folder: string) {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const ask = async (sql: string): Promise<Row[]> =>
    (await connection.runAndReadAll(sql.replaceAll('EXPORT_TO', folder))).getRowObjectsJson() as Row[];
  const kinds = new Set((await ask("select file from glob('EXPORT_TO/project=*/day=*/*.parquet')")).map(toKind));
  // DuckDB knows no columns of files that are not there.
  for (const statement of VIEWS!.split(';').filter((text) => text.trim() !== ''))
    if (kinds.has(/create view (\w+)/.exec(statement)![1]!)) await ask(statement);
  const all = (kind: string) => (kinds.has(kind) ? ask(`select * from ${kind}`) : Promise.resolve([]));
  return {
    records: () => all('records'),
    scores: () => all('scores'),
    ratings: () => all('ratings'),
    /** The example of the documentation. */
    question: () => ask(QUESTION!),
    /** Rows of files that say the same as an earlier row: a version that is there twice. */
    repeated: async () => {
      const files = (kind: string) => `read_parquet('EXPORT_TO/project=*/day=*/${kind}-*.parquet', hive_partitioning = true)`;
      const twice = (kind: string) =>
        kinds.has(kind)
          ? ask(
              `select *, count(*) as times from (select * exclude (version) from ${files(kind)} where not deleted) group by all having times > 1`,
            )
          : Promise.resolve([]);
      return (await Promise.all(['records', 'scores', 'ratings'].map(twice))).flat();
    },
    ask,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const toKind = ({ file }: Row): string => /([a-z]+)-[\d-]+\.parquet$/.exec(String(file))![1]!;

export type ReadExport = Awaited<ReturnType<typeof readExport>>;

/** A record of a file in the form in which the API shows it, as far as files have it. */
export function toShown(row: Row): Row {
  const read = (name: string, kind: string): unknown => {
    const value = row[name] ?? null;
    if (value === null) return null;
    if (kind === 'timestamp') return toUtc(String(value));
    if (kind === 'payload') return row[`${name}_is_json`] ? JSON.parse(String(value)) : value;
    return kind === 'map' || kind === 'objects' ? JSON.parse(String(value)) : value;
  };
  const common = COMMON_FIELD_NAMES.map((name) => [name, read(name, commonField(name).kind)]);
  const own = ownFieldsOf(row.type as RecordType).map((name) => [name, read(name, ownField(name).kind)]);
  return Object.fromEntries([...common, ...own]);
}

/** The same part of a record that the API has shown. */
export function toCompared(view: Row): Row {
  const names = [...COMMON_FIELD_NAMES, ...OWN_FIELD_NAMES].filter((name) => name in view);
  const compared = Object.fromEntries(names.map((name) => [name, view[name]]));
  return view.type === 'trace' ? compared : { ...compared, is_complete: null };
}
