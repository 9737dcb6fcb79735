import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { Id } from '../kernel/text.ts';
import { ColumnName, DatasetValue, MAX_COLUMNS, MAX_ROWS, type RowValues } from './row.ts';

const MAX_RECORDS = 1_000;

const Values = z.record(ColumnName, DatasetValue).refine((values) => Object.keys(values).length <= MAX_COLUMNS, {
  message: `has more than ${MAX_COLUMNS} columns`,
});

/** The shape of records drops the key `__proto__`, where it should refuse it: nothing that was sent is left out unsaid. */
const GivenValues = z.unknown().transform((given, ctx): RowValues => {
  const parsed = Values.safeParse(given, { reportInput: true });
  const issues = parsed.error?.issues ?? protoIssues(given);
  for (const issue of issues) ctx.issues.push({ ...issue, input: issue.input } as z.core.$ZodRawIssue);
  return parsed.data ?? {};
});

function protoIssues(given: unknown): { code: 'custom'; path: string[]; message: string; input: unknown }[] {
  const maps = Object.entries(given as object).filter(([, value]) => typeof value === 'object' && value !== null);
  const at = [...(Object.hasOwn(given as object, '__proto__') ? [['__proto__']] : [])];
  const deeper = maps.flatMap(([name, map]) => (Object.hasOwn(map as object, '__proto__') ? [[name, '__proto__']] : []));
  return [...at, ...deeper].map((path) => ({ code: 'custom', path, message: 'is no name for a value', input: '__proto__' }));
}

const editsWith = <V extends z.ZodType<RowValues>>(values: V) =>
  z.object({
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
          }),
        ]),
      )
      .min(1)
      .max(MAX_ROWS)
      .refine((edits) => new Set(edits.map(({ edit_type }) => isGlobal(edit_type))).size <= 1, {
        message: 'edits of rows and of the whole content do not mix in one request',
      }),
  });

const isGlobal = (edit_type: string): boolean => edit_type === 'filter_rows' || edit_type === 'copy_record_data';

/**
 * Edits of one request: one new version. All of them are about the version that the request was made against, whatever
 * an edit before them in the list does to it.
 */
export const ContentEdits = editsWith(GivenValues);
export type ContentEdits = z.output<typeof ContentEdits>;
export type ContentEdit = ContentEdits['edits'][number];

/** As `ContentEdits`, with values that can be printed as a schema. */
export const DocumentedContentEdits = editsWith(Values).meta({ id: 'DatasetContentEdits' });

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
