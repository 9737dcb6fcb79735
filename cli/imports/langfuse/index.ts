import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, Product } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toDatasetItem } from './dataset-item.ts';
import { toObservation } from './observation.ts';
import { toPrompt } from './prompt.ts';
import { toScore } from './score.ts';
import { toTraceFacts } from './trace.ts';

/** Langfuse: files of the blob storage integration, exports of tables, downloads of a trace, and pages of its API. */
export const langfuse: Product = {
  id: 'langfuse',
  label: 'Langfuse',
  expand,
  map: (row, context): readonly Imported[] | undefined => {
    if (isObservation(row)) return toObservation(row);
    if (isScore(row)) return toScore(row, context);
    if (row.has('prompt') && row.has('version')) return toPrompt(row, context);
    if (row.has('expectedOutput', 'expected_output')) return toDatasetItem(row, context);
    if (row.has('timestamp') && row.has('id')) return toTraceFacts(row);
    return isDataset(row) ? toDataset(row, context.leaveOut) : undefined;
  },
};

const isObservation = (row: SourceRow): boolean =>
  row.has('traceId', 'trace_id') && row.has('startTime', 'start_time') && row.has('type');

const isScore = (row: SourceRow): boolean =>
  row.has('dataType', 'data_type') || (row.has('value') && row.has('source', 'comment'));

const isDataset = (row: SourceRow): boolean =>
  row.has('id') && row.has('name') && row.has('description', 'projectId', 'project_id');

function toDataset(row: SourceRow, leaveOut: (what: string) => void): readonly Imported[] {
  const name = row.text('name')!;
  for (const field of ['description', 'metadata']) if (row.value(field) !== undefined) leaveOut(`${field} of a dataset`);
  return [{ kind: 'dataset', key: name, name }];
}

/** A page of the API holds rows; a trace may hold its observations and scores, and a dataset its items. */
function expand(row: JsonObject): readonly JsonObject[] {
  const { data, trace, observations, scores, items } = row;
  if (Array.isArray(data)) return objectsIn(data).flatMap(expand);
  if (isJsonObject(trace)) return [...expand(trace), ...objectsIn(observations), ...objectsIn(scores)];
  const inside: JsonObject[] = [
    ...[...objectsIn(observations), ...objectsIn(scores)].map((one) => ({ traceId: row.id ?? null, ...one })),
    ...objectsIn(items).map((one) => ({ datasetName: row.name ?? null, ...one })),
  ];
  if (inside.length === 0) return [row];
  const { observations: _observations, scores: _scores, items: _items, ...alone } = row;
  return [alone, ...inside];
}

const objectsIn = (list: JsonValue | undefined): JsonObject[] =>
  Array.isArray(list) ? (list as readonly JsonValue[]).filter(isJsonObject) : [];
