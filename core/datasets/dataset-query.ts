import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { booleanFilter, customUuidFilter, type Filter, filterList, idFilter, stringFilter } from '../kernel/query/filter.ts';
import { Id } from '../kernel/text.ts';

export type DatasetFilterName = 'id' | 'name' | 'draft' | 'used_in_project' | 'not_in_project';
export type DatasetFilter = Filter<DatasetFilterName>;

const DatasetFilterSchema = z.discriminatedUnion('name', [
  idFilter('id'),
  stringFilter('name'),
  booleanFilter('draft'),
  customUuidFilter('used_in_project'),
  customUuidFilter('not_in_project'),
]);

/**
 * Order of lists of datasets. `value` names the project or the user that the timestamp is about; datasets without such
 * a timestamp come last, whichever way the others are ordered.
 */
export type DatasetSort =
  | { readonly name: 'name' | 'created_at' | 'updated_at' | 'num_rows' | 'project_count'; readonly ascending: boolean }
  | {
      readonly name: 'project_last_used_at' | 'last_edited_by_user_at';
      readonly ascending: boolean;
      readonly value: string;
    };

const ascending = withDefault(z.boolean(), true);
const byColumn = <N extends string>(name: N) =>
  z.object({ name: z.literal(name), ascending, sort_type: z.literal('column').nullish() });
const byTimestamp = <N extends string>(name: N) =>
  z.object({ name: z.literal(name), ascending, sort_type: z.literal('custom_uuid').nullish(), value: Id });

const DatasetSortSchema = z.discriminatedUnion('name', [
  byColumn('name'),
  byColumn('created_at'),
  byColumn('updated_at'),
  byColumn('num_rows'),
  z.object({ name: z.literal('project_count'), ascending, sort_type: z.literal('custom').nullish() }),
  byTimestamp('project_last_used_at'),
  byTimestamp('last_edited_by_user_at'),
]);

export const NEWEST_DATASETS_FIRST: DatasetSort = { name: 'created_at', ascending: false };

export const DatasetSearch = z
  .object({
    filters: filterList(DatasetFilterSchema),
    sort: DatasetSortSchema.nullish().transform((sort): DatasetSort => sort ?? NEWEST_DATASETS_FIRST),
  })
  .meta({ id: 'DatasetSearch' });
export type DatasetSearch = z.output<typeof DatasetSearch>;
