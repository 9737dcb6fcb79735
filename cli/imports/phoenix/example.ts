import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Parts of an example as prefixes of the columns of a file. */
const PARTS = ['input', 'output', 'metadata'] as const;

/** An example of a dataset as a row; of CSV, whose columns are prefixed by the part that they belong to. */
export function toExample(row: SourceRow, { dataset, place }: RowContext): readonly Imported[] | undefined {
  const name = dataset ?? row.text('dataset_name', 'dataset_id');
  if (name === undefined) return undefined;
  row.skip('dataset_id', 'dataset_name');
  const id = row.text('example_id', 'id');
  const values: Record<string, JsonValue> = {};
  for (const part of PARTS) {
    const whole = row.structured(part);
    const columns = Object.fromEntries(columnsOf(row, part));
    if (whole !== undefined) values[part] = whole;
    else if (Object.keys(columns).length > 0) values[part] = columns;
  }
  row.skip('node_id', 'updated_at', 'version_id');
  for (const [field, value] of row.rest()) values[field] = value;
  return [{ kind: 'row', dataset: name, source_id: id ?? place + JSON.stringify(values), values: withoutEmpty(values) }];
}

const columnsOf = (row: SourceRow, part: string): [string, JsonValue][] =>
  row.names
    .filter((name) => name.startsWith(`${part}_`) || name.startsWith(`${part}.`))
    .flatMap((name): [string, JsonValue][] => {
      const value = row.structured(name);
      return value === undefined ? [] : [[name.slice(part.length + 1), value]];
    });

const withoutEmpty = (values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries<JsonValue>(values).filter(
      ([, value]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );
