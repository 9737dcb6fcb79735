import { z } from 'zod';
import { NUM_COMMENTS } from '../../comments/comment-column.ts';
import { AppError, type Issue } from '../../kernel/errors.ts';
import { withDefault } from '../../kernel/optional.ts';
import { findColumn } from '../columns/column.ts';
import { RecordCount } from '../record-query.ts';
import { COST_FIELDS, QueryEstimate } from './query-cost.ts';

const MAX_COLUMNS = 20;
const MAX_VALUES = 100;

/** Request for the values of columns, and how many of the records that meet the filters have each. */
export const FacetSearch = RecordCount.extend({
  column_ids: z.array(z.string().max(1100)).min(1).max(MAX_COLUMNS),
  /** Values of each column, the most frequent ones. */
  limit: withDefault(z.int().min(1).max(MAX_VALUES), 10),
  ...COST_FIELDS,
}).meta({ id: 'FacetSearch' });
export type FacetSearch = z.output<typeof FacetSearch>;

const FacetValue = z.object({ value: z.string(), count: z.int() }).meta({ id: 'FacetValue' });
/** A value as text, and the number of records that have it. */
export type FacetValue = z.output<typeof FacetValue>;

/** Reply to a request for facets. `is_cut` says that a column has more values than are shown. */
export const FacetPage = z
  .object({
    total_count: z.int(),
    facets: z.array(z.object({ column_id: z.string(), values: z.array(FacetValue), is_cut: z.boolean() })),
    estimate: QueryEstimate.optional(),
  })
  .meta({ id: 'FacetPage' });
export type FacetPage = z.output<typeof FacetPage>;

/** Whether a column has values to count: texts, yes and no, how many comments there are, or tags, of which a record has several. */
function hasFacets(id: string): boolean {
  if (id === 'tags' || id === NUM_COMMENTS) return true;
  const column = findColumn(id);
  return column?.sortable === true && column.filter_types.some((type) => type === 'text' || type === 'boolean');
}

/** Throws AppError `group_by_invalid` with the place of every column that has none. */
export function checkFacets({ column_ids }: FacetSearch): void {
  const issues = column_ids.flatMap((input, at): Issue[] =>
    hasFacets(input)
      ? []
      : [{ loc: ['body', 'column_ids', at], msg: 'no column to count values of', type: 'group_by_invalid', input }],
  );
  if (issues.length > 0) throw new AppError('invalid', 'group_by_invalid', 'no column to count values of', { issues });
}
