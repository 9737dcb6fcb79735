import { z } from 'zod';
import { withDefault } from '../kernel/optional.ts';
import { ColumnName, MAX_COLUMNS } from './row.ts';

/** The columns that the rest of the service knows by name, in the order in which a mapping puts them first. */
export const WELL_KNOWN_COLUMNS = ['input', 'output', 'metadata', 'generated_output'] as const;

const Columns = z.array(ColumnName).max(MAX_COLUMNS);
const Target = z
  .union([
    Columns.transform((columns) => ({ columns, flatten: false })),
    z.object({ columns: Columns, flatten: withDefault(z.boolean(), false) }),
  ])
  .nullish();

/**
 * Which columns become which well-known column. One column is renamed. Several become one flat map of their values;
 * with `flatten`, maps among the values give their own entries to it. Columns that are not named stay as they are.
 */
export const ColumnMapping = z
  .object({ input: Target, output: Target, metadata: Target, generated_output: Target })
  .meta({ id: 'ColumnMapping' });
export type ColumnMapping = z.output<typeof ColumnMapping>;
