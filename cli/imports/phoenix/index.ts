import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, Product, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';
import { toAnnotation } from './annotation.ts';
import { toExample } from './example.ts';
import { toLabel, toPromptVersion } from './prompt.ts';
import { toSpan } from './span.ts';

/** Phoenix: tables of spans and annotations in Parquet or JSON lines, saved trace datasets, files of datasets, and pages of its API. */
export const phoenix: Product = {
  id: 'phoenix',
  label: 'Phoenix',
  hasLooseScores: true,
  expand,
  map: (row, context): readonly Imported[] | undefined => {
    if (row.has('start_time', 'start_time_unix_nano')) return toSpan(row);
    if (isAnnotation(row)) return toAnnotation(row, context);
    if (row.has('template') && row.has('template_type', 'template_format')) return toPromptVersion(row, context);
    if (row.has('version_id') && row.has('name')) return toLabel(row);
    if (row.has('example_id', 'input')) return toExample(row, context);
    if (row.has('id') && row.has('name') && row.has('example_count', 'metadata')) return toNamed(row, context);
    return context.dataset === undefined ? undefined : toExample(row, context);
  },
};

const isAnnotation = (row: SourceRow): boolean =>
  row.has('span_id', 'trace_id', 'session_id', 'context.span_id') &&
  row.has('result', 'score', 'label', 'result.score', 'result.label');

/** A dataset; lists of prompts look the same, and stand for nothing without their versions. */
function toNamed(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] {
  const [key, name] = [row.text('id')!, row.text('name')!];
  if (row.value('description') !== undefined) leaveOut('description of a dataset or prompt');
  return [{ kind: 'dataset', key, name }];
}

/** Pages of the API hold lists, and examples stand beside the id of their dataset. */
function expand(row: JsonObject): readonly JsonObject[] {
  const { data } = row;
  if (Array.isArray(data)) return objectsIn(data).flatMap(expand);
  if (isJsonObject(data)) return expand(data);
  if (!Array.isArray(row.examples)) return [row];
  const { dataset_id, dataset_name } = row;
  return objectsIn(row.examples).map((example) => ({
    ...example,
    dataset_id: dataset_id ?? null,
    dataset_name: dataset_name ?? null,
  }));
}

const objectsIn = (list: JsonValue): JsonObject[] => (list as readonly JsonValue[]).filter(isJsonObject);
