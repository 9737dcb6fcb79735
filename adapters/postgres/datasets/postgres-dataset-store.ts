import { sql } from 'kysely';
import { datasetExists, type StoredDataset } from '../../../core/datasets/dataset.ts';
import type { DatasetFilter, DatasetFilterName, DatasetSort } from '../../../core/datasets/dataset-query.ts';
import type { DatasetChanges, DatasetStore, DatasetUse } from '../../../core/datasets/dataset-store.ts';
import type { Slice } from '../../../core/kernel/query/page.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import type { PostgresSession } from '../database/postgres-session.ts';
import type { Fragment } from '../database/sql.ts';
import { refusingDuplicates } from '../database/violations.ts';
import { type Column, toSqlCondition } from '../traces/filter-sql.ts';
import { DatasetTable } from './dataset-tables.ts';

const NEWEST = sql`
join lateral (
  select version_index, num_rows, columns, created_at from dataset_versions
  where dataset_id = d.id order by version_index desc limit 1
) v on true`;

const DATASET = sql`
d.id, d.name, d.draft, d.hidden, d.created_by, d.created_at, greatest(d.updated_at, v.created_at) as updated_at,
v.version_index as current_version_index, v.num_rows,
(select coalesce(jsonb_agg(c.item ->> 'name' order by c.at), '[]') from jsonb_array_elements(v.columns) with ordinality c(item, at))
  as column_names`;

/** Uses in projects that are there. */
const USES = sql`from dataset_projects u join projects p on p.id = u.project_id where u.dataset_id = d.id`;

const COLUMNS: Readonly<Record<DatasetFilterName, Column>> = {
  id: sql`d.id`,
  name: sql`d.name`,
  draft: sql`d.draft`,
  used_in_project: (project) => sql`exists (select ${USES} and u.project_id = ${project})`,
  not_in_project: (project) => sql`not exists (select ${USES} and u.project_id = ${project})`,
};

const REMOVALS = ['dataset_projects', 'dataset_rows', 'dataset_blocks', 'dataset_manifests', 'dataset_versions'].map(
  (table) => `delete from ${table} where dataset_id = $1`,
);

type Inserted = Pick<StoredDataset, 'id' | 'name' | 'draft' | 'hidden' | 'created_by' | 'created_at'>;

export class PostgresDatasetStore implements DatasetStore {
  readonly #session: PostgresSession;

  constructor({ session }: { session: PostgresSession }) {
    this.#session = session;
  }

  async insert({ id, name, draft, hidden, created_by, created_at }: Inserted): Promise<void> {
    const inserted = await this.#session.sql(
      `insert into datasets (id, name, draft, hidden, created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)
       on conflict do nothing returning id`,
      [id, name, draft, hidden, created_by, created_at],
    );
    if (inserted.length === 0) throw datasetExists();
  }

  async find(id: string): Promise<StoredDataset | undefined> {
    const [row] = await this.#session.rows(sql<StoredDataset>`select ${DATASET} from datasets d ${NEWEST} where d.id = ${id}`);
    return row && inUtc(row);
  }

  async takenNames(names: readonly string[]): Promise<string[]> {
    const rows = await this.#session.sql<{ name: string }>('select name from datasets where name = any($1::text[])', [names]);
    return rows.map(({ name }) => name);
  }

  async list(
    filters: readonly DatasetFilter[],
    sort: DatasetSort,
    projects: readonly string[] | undefined,
    slice: Slice,
  ): Promise<StoredDataset[]> {
    const direction = sort.ascending ? sql`asc` : sql`desc`;
    const rows = await this.#session.rows(
      sql<StoredDataset>`select ${DATASET} from datasets d ${NEWEST}
       where not d.hidden and ${toSqlCondition(filters, COLUMNS)}
       order by ${getKey(sort, projects)} ${direction} nulls last, d.id asc limit ${slice.limit} offset ${slice.offset}`,
    );
    return rows.map(inUtc);
  }

  async update(id: string, changes: DatasetChanges): Promise<StoredDataset | undefined> {
    const found = await refusingDuplicates('dataset_exists', 'a dataset with this name exists', () =>
      this.#session.em.nativeUpdate(DatasetTable, { id }, changes),
    );
    return found > 0 ? this.find(id) : undefined;
  }

  remove(id: string): Promise<boolean> {
    return this.#session.run(async () => {
      const found = await this.#session.em.nativeDelete(DatasetTable, { id });
      for (const removal of REMOVALS) await this.#session.sql(removal, [id]);
      return found > 0;
    });
  }

  async use({ dataset_id, project_id }: DatasetUse, at: string): Promise<void> {
    await this.#session.sql(
      `insert into dataset_projects (dataset_id, project_id, last_used_at) values ($1, $2, $3)
       on conflict (dataset_id, project_id) do update set last_used_at = excluded.last_used_at`,
      [dataset_id, project_id, at],
    );
  }

  listUses(dataset_ids: readonly string[]): Promise<DatasetUse[]> {
    return this.#session.sql<DatasetUse>(
      `select u.dataset_id, u.project_id from dataset_projects u join projects p on p.id = u.project_id
       where u.dataset_id = any($1::uuid[])`,
      [dataset_ids],
    );
  }
}

function getKey(sort: DatasetSort, projects: readonly string[] | undefined): Fragment {
  switch (sort.name) {
    case 'name':
      return sql`d.name collate "C"`;
    case 'created_at':
      return sql`d.created_at`;
    case 'updated_at':
      return sql`greatest(d.updated_at, v.created_at)`;
    case 'num_rows':
      return sql`v.num_rows`;
    case 'project_count':
      return projects === undefined
        ? sql`(select count(*) ${USES})`
        : sql`(select count(*) ${USES} and u.project_id = any(${projects}::uuid[]))`;
    case 'project_last_used_at':
      return sql`(select u.last_used_at ${USES} and u.project_id = ${sort.value}::uuid)`;
    case 'last_edited_by_user_at':
      return sql`(select max(created_at) from dataset_versions where dataset_id = d.id and created_by = ${sort.value}::uuid)`;
  }
}

const inUtc = (row: StoredDataset): StoredDataset => ({
  ...row,
  created_at: toUtc(row.created_at) ?? row.created_at,
  updated_at: toUtc(row.updated_at) ?? row.updated_at,
});
