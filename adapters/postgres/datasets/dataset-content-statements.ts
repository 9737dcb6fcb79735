import type { Block } from '../../../core/datasets/block.ts';
import type { RowRevision } from '../../../core/datasets/content.ts';
import type { StoredVersion } from '../../../core/datasets/version.ts';
import { toUtc } from '../../../core/kernel/timestamp.ts';
import { decodeCells, encodeCells } from './dataset-cells-codec.ts';

export const VERSION_COLUMNS = `dataset_id, version_index, id, name, created_at, created_by, num_rows, columns,
  rows_added, rows_removed, rows_edited, columns_added, columns_removed, columns_renamed`;

export interface ManifestRow {
  readonly block_ids: readonly number[];
  readonly block_sizes: readonly number[];
  readonly block_firsts: readonly number[];
}

export const BLOCKS =
  'select block_ids, block_sizes, block_firsts from dataset_manifests where dataset_id = $1 and version_index = $2';

export const HEAD = `
select ${VERSION_COLUMNS}, m.block_ids, m.block_sizes, m.block_firsts,
  jsonb_build_object('revision', m.next_revision, 'block', m.next_block, 'column', m.next_column,
    'last_position', m.last_position, 'first_position', m.first_position) as next
from dataset_versions join dataset_manifests m using (dataset_id, version_index)
where dataset_id = $1 order by version_index desc limit 1`;

export const INSERT_VERSION = `
with version as (
  insert into dataset_versions (${VERSION_COLUMNS})
  select ${VERSION_COLUMNS} from jsonb_to_record($1::jsonb) as v(
    dataset_id uuid, version_index int, id uuid, name text, created_at timestamptz, created_by uuid, num_rows int, columns jsonb,
    rows_added int, rows_removed int, rows_edited int, columns_added int, columns_removed int, columns_renamed int)
)
insert into dataset_manifests (dataset_id, version_index, block_ids, block_sizes, block_firsts,
  next_revision, next_block, next_column, last_position, first_position)
values ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;

const ROW_FACTS =
  'revision, row_id, position, cells, created_in_version, created_at, created_by, updated_in_version, updated_at, updated_by';
export const ROW_COLUMNS = ROW_FACTS;

/**
 * `$2` revisions, of which the first are read: while those before have less than `$3` bytes of JSON text, and less than `$4` as they
 * are stored. Only rows within the second bound are unpacked to find out about the first.
 */
export const ROWS_WITHIN = `
select ${ROW_FACTS}, size from (
  select *, sum(size) over (order by place) - size as before from (
    select *, octet_length(cells::text) as size from (
      select r.*, wanted.place, sum(pg_column_size(r.cells)) over (order by wanted.place) - pg_column_size(r.cells) as stored_before
      from unnest($2::int[]) with ordinality as wanted(revision, place)
      join dataset_rows r on r.dataset_id = $1 and r.revision = wanted.revision
    ) r where stored_before < $4 offset 0
  ) r
) r where before < $3 order by place`;

export const INSERT_ROWS = `
insert into dataset_rows (dataset_id, ${ROW_FACTS})
select $1, ${ROW_FACTS} from jsonb_to_recordset($2::jsonb) as r(revision int, row_id uuid, position int, cells jsonb,
  created_in_version int, created_at timestamptz, created_by uuid, updated_in_version int, updated_at timestamptz, updated_by uuid)`;

export const COUNT_DIFFERING = `
select count(*)::int as differing from unnest($2::int[], $3::int[]) as pair(before, after)
join dataset_rows b on b.dataset_id = $1 and b.revision = pair.before
join dataset_rows a on a.dataset_id = $1 and a.revision = pair.after
where b.cells <> a.cells`;

export type StoredRow = Omit<RowRevision, 'cells'> & { readonly cells: Parameters<typeof decodeCells>[0] };

export type SizedRow = StoredRow & { readonly size: number };

export const toRowValues = (row: RowRevision): object => ({ ...row, cells: encodeCells(row.cells) });

export const toRowRevision = (row: StoredRow): RowRevision => ({
  ...row,
  created_at: toUtc(row.created_at)!,
  updated_at: toUtc(row.updated_at)!,
  cells: decodeCells(row.cells),
});

export const toManifestBlocks = ({ block_ids, block_sizes, block_firsts }: ManifestRow): Block[] =>
  block_ids.map((id, at) => ({ id, size: block_sizes[at]!, first: block_firsts[at]! }));

/** Keeps to the fields of a version, whatever the statement answered beside them. */
export const toVersionRow = (row: StoredVersion): StoredVersion => ({
  dataset_id: row.dataset_id,
  version_index: row.version_index,
  id: row.id,
  name: row.name,
  created_at: toUtc(row.created_at)!,
  created_by: row.created_by,
  num_rows: row.num_rows,
  columns: row.columns,
  rows_added: row.rows_added,
  rows_removed: row.rows_removed,
  rows_edited: row.rows_edited,
  columns_added: row.columns_added,
  columns_removed: row.columns_removed,
  columns_renamed: row.columns_renamed,
});
