import { type Dimension, findDimension } from '../otel/metrics/kept-metrics.ts';

const METADATA = 'user_metadata/';

/** The dimension that a column of records stands for, by its own name or that of the attribute. */
export function toDimension(column_id: string): Dimension | undefined {
  if (column_id === 'model') return 'model';
  return findDimension(column_id.startsWith(METADATA) ? column_id.slice(METADATA.length) : column_id);
}

/** The column of records that an attribute of a metric stands for: a series over records may be grouped by it, too. */
export function toRecordColumn(group_by: string): string {
  const dimension = findDimension(group_by);
  if (dimension === undefined) return group_by;
  return dimension === 'model' ? 'model' : METADATA + group_by;
}
