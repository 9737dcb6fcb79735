import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { type FilterTree, RecordCount, type RecordListing, RecordSearch } from '../record-query.ts';
import { PartialSearch } from './selection.ts';

/** Members of a request that reads records, about what that may cost. */
export const COST_FIELDS = {
  explain: z
    .boolean()
    .nullish()
    .describe('Estimate how many records would be looked at, and look at none: the reply is empty but for `estimate`.'),
  allow_expensive: z
    .boolean()
    .nullish()
    .describe('Run it even if more records would be looked at than `QUERY_MAX_ROWS`. Needs the right to change the project.'),
};
export interface Allowance {
  readonly explain?: boolean | null | undefined;
  readonly allow_expensive?: boolean | null | undefined;
}

export const SearchRequest = RecordSearch.extend(COST_FIELDS).meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof SearchRequest>;
export const PartialSearchRequest = PartialSearch.extend(COST_FIELDS).meta({ id: 'PartialSearchRequest' });
export type PartialSearchRequest = z.output<typeof PartialSearchRequest>;
export const CountRequest = RecordCount.extend(COST_FIELDS).meta({ id: 'CountRequest' });
export type CountRequest = z.output<typeof CountRequest>;

/** Conditions that narrow a query down to what an index or the roll-up knows, where they have to hold. */
const NARROWING = ['created_at', 'id', 'trace_id', 'session_id', 'words', 'metrics/<name>'] as const;

export const QueryEstimate = z
  .object({
    estimated_rows: z.int().describe('Records that would be looked at, at most; one that is looked at twice counts twice.'),
    max_rows: z.int().nullable().describe('More are refused; null where nothing is.'),
    is_refused: z.boolean().describe('Whether the query is refused without `allow_expensive`.'),
    narrow_by: z.array(z.string()).describe('Columns of filters that lower the estimate where they have to hold.'),
  })
  .meta({ id: 'QueryEstimate' });
export type QueryEstimate = z.output<typeof QueryEstimate>;

export const toEstimate = (estimated_rows: number, bound: number): QueryEstimate => ({
  estimated_rows,
  max_rows: Number.isFinite(bound) ? bound : null,
  is_refused: estimated_rows > bound,
  narrow_by: [...NARROWING],
});

export function tooExpensive(estimate: QueryEstimate): AppError {
  const { estimated_rows, max_rows, narrow_by } = estimate;
  const msg = `about ${estimated_rows} records would be looked at, more than ${max_rows}; filters on ${narrow_by.join(', ')} narrow that, allow_expensive permits it`;
  const issues = [{ loc: ['body'], msg, type: 'query_too_expensive', ctx: { ...estimate } }];
  return new AppError('invalid', 'query_too_expensive', msg, { issues });
}

/** Whether every record meets a condition, because it asks for nothing. */
export const isUnconditional = (tree: FilterTree): boolean => 'and' in tree && tree.and.every(isUnconditional);

/** Records that a page is found in at most where that follows from the request alone: the index has them in this order. */
export function computePageRows({ where, sort, starting_token, limit, after }: RecordListing): number {
  if (sort.column_id !== 'created_at' || !isUnconditional(where)) return Number.POSITIVE_INFINITY;
  return (after === undefined ? starting_token : 0) + limit + 1;
}
