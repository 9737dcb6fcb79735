import type { JsonValue } from '../../../core/kernel/json.ts';
import { toJsonText } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** An example of a dataset as a row: what it is to give out is the column `output`. */
export function toExample(row: SourceRow, { dataset, place, leaveOut }: RowContext): readonly Imported[] | undefined {
  const name = row.text('dataset_id') ?? dataset;
  if (name === undefined) return undefined;
  const { dataset_split, ...metadata } = row.object('metadata') ?? {};
  const split = row.structured('split', 'splits') ?? dataset_split;
  const values: Record<string, JsonValue | undefined> = {
    input: row.structured('inputs'),
    output: row.structured('outputs'),
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    split: Array.isArray(split) ? (split as readonly JsonValue[]).map(toJsonText).join(',') : split,
    source_run_id: row.text('source_run_id'),
  };
  if (Object.keys(row.object('attachments', 'attachment_urls') ?? {}).length > 0) leaveOut('attachments of an example');
  const source_id = row.text('id') ?? place + JSON.stringify(values);
  row.skip('created_at', 'modified_at', 'name');
  for (const [field, value] of row.rest()) values[field] = value;
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return [{ kind: 'row', dataset: name, source_id, values: Object.fromEntries(filled) as Record<string, JsonValue> }];
}

/** A row of a file that the app saved of a dataset: its columns are those of the export. */
export function toPlainRow(row: SourceRow, { dataset, place }: RowContext): readonly Imported[] {
  const values = Object.fromEntries(row.names.map((name) => [name, row.structured(name) ?? null]));
  return [{ kind: 'row', dataset: dataset!, source_id: place + JSON.stringify(values), values }];
}
