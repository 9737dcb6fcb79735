import type { UserSummary } from '../access/users/user.ts';
import { namedValues, toRowValues } from './cells.ts';
import type { DatasetRow, IndexedRow } from './content.ts';
import type { Column, DatasetVersion, StoredVersion } from './version.ts';

export type Users = ReadonlyMap<string, UserSummary>;

export const usersIn = (rows: readonly IndexedRow[]): string[] => [
  ...new Set(rows.flatMap(({ row }) => [row.created_by, row.updated_by])),
];

export const rowView = ({ index, row }: IndexedRow, columns: readonly Column[], users: Users): DatasetRow => ({
  row_id: row.row_id,
  index,
  values: toRowValues(row.cells, columns),
  values_dict: namedValues(row.cells, columns),
  metadata: {
    created_in_version: row.created_in_version,
    created_at: row.created_at,
    created_by_user: users.get(row.created_by) ?? null,
    updated_in_version: row.updated_in_version,
    updated_at: row.updated_at,
    updated_by_user: users.get(row.updated_by) ?? null,
  },
});

export function versionView(version: StoredVersion, users: Users): DatasetVersion {
  const { dataset_id: _dataset_id, id: _id, created_by, columns, ...shown } = version;
  return { ...shown, created_by_user: users.get(created_by) ?? null, column_names: columns.map(({ name }) => name) };
}
