import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { Id } from '../kernel/text.ts';
import { ColumnName, DatasetValue, MAX_COLUMNS, MAX_ROWS } from './row.ts';

const MAX_RECORDS = 1_000;
/** Columns that one copy of records makes. */
const MAX_MAPPED = 100;

const values = z.record(ColumnName, DatasetValue).refine((values) => Object.keys(values).length <= MAX_COLUMNS, {
  message: `has more than ${MAX_COLUMNS} columns`,
});

const SOURCES = [
  'input',
  'output',
  'name',
  'tags',
  'user_metadata',
  'dataset_input',
  'dataset_output',
  'dataset_metadata',
] as const;
export type RecordSource = (typeof SOURCES)[number];

/**
 * Which field of a record a column of the dataset is made from; with `key`, one entry of a map of metadata, null where the record
 * has no such entry.
 */
export const RecordColumns = z
  .record(ColumnName, z.object({ field: z.enum(SOURCES), key: z.string().min(1).max(1000).nullish() }))
  .refine((columns) => Object.keys(columns).length >= 1 && Object.keys(columns).length <= MAX_MAPPED, {
    message: `names no column, or more than ${MAX_MAPPED}`,
  })
  .refine((columns) => Object.values(columns).every(({ field, key }) => !key || field.endsWith('_metadata')), {
    message: 'has a key of a field that is no map',
  });
export type RecordColumns = z.output<typeof RecordColumns>;

const isGlobal = (edit_type: string): boolean => edit_type === 'filter_rows' || edit_type === 'copy_record_data';

/**
 * Edits of one request: one new version. All of them are about the version that the request was made against, whatever
 * an edit before them in the list does to it.
 */
export const ContentEdits = z
  .object({
    edits: z
      .array(
        z.discriminatedUnion('edit_type', [
          z.object({ edit_type: z.literal('append_row'), values, row_id: Id.nullish() }),
          z.object({ edit_type: z.literal('prepend_row'), values, row_id: Id.nullish() }),
          z.object({ edit_type: z.literal('update_row'), row_id: Id, values }),
          z.object({ edit_type: z.literal('delete_row'), row_id: Id }),
          z.object({ edit_type: z.literal('filter_rows'), row_ids: z.array(Id).max(MAX_ROWS) }),
          z.object({
            edit_type: z.literal('copy_record_data'),
            project_id: Id,
            ids: z.array(Id).min(1).max(MAX_RECORDS),
            prepend: withDefault(z.boolean(), true),
            use_generated_output_column: withDefault(z.boolean(), false),
            columns: RecordColumns.nullish(),
            link_to_record: withDefault(z.boolean(), false),
          }),
        ]),
      )
      .min(1)
      .max(MAX_ROWS)
      .refine((edits) => new Set(edits.map(({ edit_type }) => isGlobal(edit_type))).size <= 1, {
        message: 'edits of rows and of the whole content do not mix in one request',
      }),
  })
  .meta({ id: 'DatasetContentEdits' });
export type ContentEdits = z.output<typeof ContentEdits>;
export type ContentEdit = ContentEdits['edits'][number];

/** Overwriting is refused where it would undo edits made after the version that the caller has seen, unless forced. */
const Overwriting = {
  base_version_index: z.int().min(1).max(2_147_483_647).nullish(),
  force: withDefault(z.boolean(), false),
};
const index = z.int().min(1).max(2_147_483_647);

/** Becomes an earlier version again, or what another dataset is; a new version in each case. */
export const ContentReplacement = z
  .object({ rollback_version: index.nullish(), dataset_id: Id.nullish(), version_index: index.nullish(), ...Overwriting })
  .refine(({ rollback_version, dataset_id }) => (rollback_version ?? null) === null || !dataset_id, {
    message: 'either rollback_version or dataset_id, not both',
    path: ['dataset_id'],
  })
  .refine(({ rollback_version, dataset_id }) => (rollback_version ?? null) !== null || Boolean(dataset_id), {
    message: 'rollback_version or dataset_id is needed',
    path: ['rollback_version'],
  })
  .meta({ id: 'DatasetContentReplacement' });
export type ContentReplacement = z.output<typeof ContentReplacement>;
