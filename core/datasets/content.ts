import { z } from 'zod';
import { UserSummary } from '../access/users/user.ts';
import { withDefault } from '../kernel/optional.ts';
import { PageFields } from '../kernel/query/page.ts';
import { cleanText } from '../kernel/text.ts';
import { WELL_KNOWN_COLUMNS } from './column-mapping.ts';
import { ColumnName, DatasetValue } from './row.ts';

/** The values of a row by the keys of its columns. Null is left out. */
export type Cells = Readonly<Record<number, DatasetValue>>;

/** A row as it was written once. Later states of the row are revisions of their own. */
export interface RowRevision {
  readonly revision: number;
  readonly row_id: string;
  readonly position: number;
  readonly cells: Cells;
  readonly created_in_version: number;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_in_version: number;
  readonly updated_at: string;
  readonly updated_by: string;
}

/** Where a row stands in a version, and as which revision. */
export interface RowPlace {
  readonly index: number;
  readonly revision: number;
}

/** A row where it stands in a version. */
export interface IndexedRow {
  readonly index: number;
  readonly row: RowRevision;
}

export const RowMetadata = z
  .object({
    created_in_version: z.int(),
    created_at: z.string(),
    created_by_user: UserSummary.nullable(),
    updated_in_version: z.int(),
    updated_at: z.string(),
    updated_by_user: UserSummary.nullable(),
  })
  .meta({ id: 'DatasetRowMetadata' });

export const DatasetRow = z
  .object({
    row_id: z.string(),
    /** Its place in the version, counted from zero, whatever was filtered away before it. */
    index: z.int(),
    values: z.array(DatasetValue),
    values_dict: z.record(z.string(), DatasetValue),
    metadata: RowMetadata.nullable(),
  })
  .meta({ id: 'DatasetRow' });
export type DatasetRow = z.output<typeof DatasetRow>;

export const DatasetContent = z
  .object({
    ...PageFields,
    column_names: z.array(z.string()),
    warning_message: z.string().nullable(),
    rows: z.array(DatasetRow),
  })
  .meta({ id: 'DatasetContent' });
export type DatasetContent = z.output<typeof DatasetContent>;

const ContentFilter = z.object({
  column_name: ColumnName,
  value: cleanText(0, 1000),
  operator: withDefault(z.enum(['eq', 'ne', 'contains']), 'contains'),
});
const ContentSort = z.object({ column_name: ColumnName, ascending: withDefault(z.boolean(), true) });

export const ContentSearch = z
  .object({ filters: withDefault(z.array(ContentFilter).max(100), []), sort: ContentSort.nullish() })
  .meta({ id: 'DatasetContentSearch' });
export type ContentSearch = z.output<typeof ContentSearch>;

/** Text that a cell is found and ordered by: a text as it is, anything else as JSON text, nothing for null. */
export const cellText = (value: DatasetValue | undefined): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

/** Warns of columns that mislead whoever reads rows as records; null when there are none. */
export function toWarning(column_names: readonly string[]): string | null {
  const known: readonly string[] = WELL_KNOWN_COLUMNS;
  const others = column_names.filter((name) => !known.includes(name));
  const missing = column_names.includes('input') ? [] : ['there is no column input'];
  const extra = others.length > 0 ? [`beside ${known.join(', ')} there are ${listed(others)}`] : [];
  const warnings = [...missing, ...extra];
  return warnings.length > 0 ? warnings.join('; ') : null;
}

const SHOWN = 20;

const listed = (names: readonly string[]): string =>
  names.length > SHOWN ? `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more` : names.join(', ');
