import type { JsonObject, JsonValue } from '../../../core/kernel/json.ts';
import { isJsonObject, toStructured } from '../../../core/plugin-sdk/otel/index.ts';
import type { Imported, Product } from '../shapes.ts';
import { toAssessment } from './assessment.ts';
import { toDataset, toDatasetRecord } from './dataset-record.ts';
import { toPromptVersion } from './prompt.ts';
import { toTrace } from './trace.ts';

/** MLflow: traces as `Trace.to_json` writes them, tables of `search_traces`, assessments, records of evaluation datasets, versions of prompts. */
export const mlflow: Product = {
  id: 'mlflow',
  label: 'MLflow',
  expand,
  map: (row, context): readonly Imported[] | undefined => {
    if (row.has('info') || row.has('spans')) return toTrace(row, context);
    if (row.has('feedback', 'expectation') && row.has('trace_id')) return toAssessment(row, context);
    if (row.has('version') && row.has('template', 'tags')) return toPromptVersion(row, context);
    if (row.has('inputs')) return toDatasetRecord(row, context);
    if (row.has('dataset_id', 'id') && row.has('name')) return toDataset(row, context);
    return undefined;
  },
};

/** Replies of the API hold lists; a table may hold the whole trace as JSON text in one column. */
function expand(row: JsonObject): readonly JsonObject[] {
  for (const list of [row.traces, row.assessments_list, row.prompt_versions, row.model_versions, row.records, row.datasets])
    if (Array.isArray(list)) return (list as readonly JsonValue[]).filter(isJsonObject).flatMap(expand);
  const trace = toStructured(row.trace ?? null);
  if (!isJsonObject(trace)) return [row];
  // Assessments may have come since the trace was written down.
  const assessments = toStructured(row.assessments ?? null);
  const { info } = trace;
  return [Array.isArray(assessments) && isJsonObject(info) ? { ...trace, info: { ...info, assessments } } : trace];
}
