import { toSpanId, toTraceId } from '../record-ids.ts';
import type { Imported, ImportedScore, RowContext } from '../shapes.ts';
import type { SourceRow } from '../source-row.ts';

/** Facts of the other installation: who there gave a score, by which of its evaluators. */
const FOREIGN = [
  ...['id', 'projectId', 'project_id', 'createdAt', 'created_at', 'updatedAt', 'updated_at', 'authorUserId', 'author_user_id'],
  ...['configId', 'config_id', 'queueId', 'queue_id', 'evaluatorId', 'evaluator_id', 'evaluationRuleId', 'evaluation_rule_id'],
  ...['executionTraceId', 'execution_trace_id', 'environment', 'trace', 'config'],
];

/** A score of a trace, an observation or a session. */
export function toScore(row: SourceRow, { leaveOut }: RowContext): readonly Imported[] | undefined {
  const name = row.text('name');
  const value = toValue(row);
  if (name === undefined || value === undefined) return undefined;
  const trace = row.text('traceId', 'trace_id');
  const span = row.text('observationId', 'observation_id');
  const session = row.text('sessionId', 'session_id');
  if (trace === undefined && session === undefined) {
    leaveOut('a score of a dataset run');
    return [];
  }
  const score: ImportedScore = {
    kind: 'score',
    ...(trace === undefined ? { session } : { trace_id: toTraceId('langfuse', trace) }),
    ...(span !== undefined && { span_id: toSpanId('langfuse', span) }),
    name,
    value,
    explanation: row.text('comment'),
    by: row.text('source')?.toUpperCase() === 'ANNOTATION' ? 'person' : 'program',
    at: row.text('timestamp'),
  };
  row.skip(...FOREIGN, 'datasetRunId', 'dataset_run_id');
  for (const field of row.unread()) leaveOut(`${field} of a score`);
  return [score];
}

/** Booleans come as 0 and 1, categories as the number of a category beside its name. */
function toValue(row: SourceRow): ImportedScore['value'] | undefined {
  const type = row.text('dataType', 'data_type')?.toUpperCase();
  const [text, value] = [row.text('stringValue', 'string_value'), row.value('value')];
  if (type === 'BOOLEAN') return value === undefined ? undefined : value === true || Number(value) === 1 || value === 'true';
  if (type === 'CATEGORICAL' || type === 'TEXT' || type === 'CORRECTION')
    return text ?? (value === undefined ? undefined : String(value));
  const number = row.number('value');
  return number ?? (typeof value === 'string' ? value : text);
}
