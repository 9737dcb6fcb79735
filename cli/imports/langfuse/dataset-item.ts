import type { JsonValue } from '../../../core/kernel/json.ts';
import type { Imported, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** An item of a dataset as a row: what was expected of it is the column `output`. */
export function toDatasetItem(row: SourceRow, { dataset, leaveOut }: RowContext): readonly Imported[] | undefined {
  const name = row.text('datasetName', 'dataset_name') ?? dataset ?? row.text('datasetId', 'dataset_id');
  const source_id = row.text('id');
  if (name === undefined || source_id === undefined) return undefined;
  if (row.text('status')?.toUpperCase() === 'ARCHIVED') {
    leaveOut('an archived dataset item');
    return [];
  }
  const values: Record<string, JsonValue> = {
    input: row.structured('input') ?? null,
    output: row.structured('expectedOutput', 'expected_output') ?? null,
    metadata: row.structured('metadata') ?? null,
    source_trace_id: row.text('sourceTraceId', 'source_trace_id') ?? null,
    source_observation_id: row.text('sourceObservationId', 'source_observation_id') ?? null,
  };
  row.skip('datasetId', 'dataset_id', 'createdAt', 'created_at', 'updatedAt', 'updated_at', 'projectId', 'project_id');
  for (const [field, value] of row.rest()) values[field] = value;
  const filled = Object.entries(values).filter(([, value]) => value !== null);
  return [{ kind: 'row', dataset: name, source_id, values: Object.fromEntries(filled) }];
}
