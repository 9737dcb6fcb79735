import type { JsonValue } from '../../../core/kernel/json.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** A record of an evaluation dataset as a row: the expected response is the column `output`, other expectations are `expectations`. */
export function toDatasetRecord(row: SourceRow, { dataset, place }: RowContext): readonly Imported[] | undefined {
  const name = dataset ?? row.text('dataset_name', 'dataset_id');
  if (name === undefined) return undefined;
  row.skip('dataset_name', 'dataset_id');
  const { expected_response, ...expectations } = row.object('expectations') ?? {};
  const given = row.structured('outputs');
  const values: Record<string, JsonValue | undefined> = {
    input: row.structured('inputs'),
    output: expected_response ?? given,
    ...(expected_response !== undefined && { generated_output: given }),
    expectations: Object.keys(expectations).length > 0 ? expectations : undefined,
    metadata: row.object('tags'),
    source_id: row.text('source_id'),
  };
  const id = row.text('dataset_record_id');
  row.skip('created_time', 'last_update_time', 'created_by', 'last_updated_by', 'source', 'source_type', 'create_time');
  for (const [field, value] of row.rest()) values[field] = value;
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && !isEmpty(value));
  const rest = Object.fromEntries(filled) as Record<string, JsonValue>;
  return [{ kind: 'row', dataset: name, source_id: id ?? place + JSON.stringify(rest), values: rest }];
}

const isEmpty = (value: JsonValue): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

export function toDataset(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] {
  const [key, name] = [row.text('dataset_id', 'id')!, row.text('name')!];
  if (Object.keys(row.object('tags') ?? {}).length > 0) leaveOut('tags of a dataset');
  return [{ kind: 'dataset', key, name }];
}
