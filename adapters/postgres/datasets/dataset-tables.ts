import { defineEntity, p } from '@mikro-orm/core';
import type { Column } from '../../../core/datasets/version.ts';
import { jsonb, text, timestamp, uuid } from '../database/columns.ts';

/** Datasets; everything about content is in the newest of their versions. */
export const DatasetTable = defineEntity({
  name: 'DatasetRow',
  tableName: 'datasets',
  properties: {
    id: uuid().primary(),
    name: text(),
    draft: p.boolean(),
    hidden: p.boolean(),
    created_by: uuid(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  uniques: [{ name: 'datasets_name_unique', properties: ['name'] }],
});

export const DatasetVersionTable = defineEntity({
  name: 'DatasetVersionRow',
  tableName: 'dataset_versions',
  properties: {
    dataset_id: uuid().primary(),
    version_index: p.integer().primary(),
    id: uuid(),
    name: text().nullable(),
    created_at: timestamp(),
    created_by: uuid(),
    num_rows: p.integer(),
    columns: jsonb<Column[]>(),
    rows_added: p.integer(),
    rows_removed: p.integer(),
    rows_edited: p.integer(),
    columns_added: p.integer(),
    columns_removed: p.integer(),
    columns_renamed: p.integer(),
  },
  indexes: [{ name: 'dataset_versions_editor_index', properties: ['created_by', 'dataset_id', 'created_at'] }],
});

/** The blocks of a version: three lists of one length. Lists of versions do without them. */
export const DatasetManifestTable = defineEntity({
  name: 'DatasetManifestRow',
  tableName: 'dataset_manifests',
  properties: {
    dataset_id: uuid().primary(),
    version_index: p.integer().primary(),
    block_ids: p.array().columnType('int[]'),
    block_sizes: p.array().columnType('int[]'),
    block_firsts: p.array().columnType('int[]'),
    next_revision: p.integer(),
    next_block: p.integer(),
    next_column: p.integer(),
    last_position: p.integer(),
    first_position: p.integer(),
  },
});

/** The rows of a block: two lists of one length. */
export const DatasetBlockTable = defineEntity({
  name: 'DatasetBlockRow',
  tableName: 'dataset_blocks',
  properties: {
    dataset_id: uuid().primary(),
    block_id: p.integer().primary(),
    revisions: p.array().columnType('int[]'),
    positions: p.array().columnType('int[]'),
  },
});

/** Rows as they were written once. `cells` is by the keys of columns, in the form of `dataset-cells-codec`. */
export const DatasetRowTable = defineEntity({
  name: 'DatasetRowRevisionRow',
  tableName: 'dataset_rows',
  properties: {
    dataset_id: uuid().primary(),
    revision: p.integer().primary(),
    row_id: uuid(),
    position: p.integer(),
    cells: jsonb<Record<string, unknown>>(),
    created_in_version: p.integer(),
    created_at: timestamp(),
    created_by: uuid(),
    updated_in_version: p.integer(),
    updated_at: timestamp(),
    updated_by: uuid(),
  },
  indexes: [{ name: 'dataset_rows_row_id_index', properties: ['dataset_id', 'row_id'] }],
});

export const DatasetProjectTable = defineEntity({
  name: 'DatasetProjectRow',
  tableName: 'dataset_projects',
  properties: {
    dataset_id: uuid().primary(),
    project_id: uuid().primary(),
    last_used_at: timestamp(),
  },
  indexes: [{ name: 'dataset_projects_project_index', properties: ['project_id'] }],
});

export const datasetTables = [
  DatasetTable,
  DatasetVersionTable,
  DatasetManifestTable,
  DatasetBlockTable,
  DatasetRowTable,
  DatasetProjectTable,
];
